// The parts of the tar format (POSIX ustar) that a data folder needs: files and folders with short names.

const BLOCK = 512;
const TYPES = { file: "0", folder: "5" } as const;

export type TarEntry = { name: string; type: keyof typeof TYPES; data: Buffer };

/** The header of an entry. Its data follows, padded to whole blocks. @throws if the name has more than 100 bytes */
export function tarHeader(name: string, type: TarEntry["type"], size: number, mtime = new Date()): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for a tar file.`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  header.write(name, 0);
  header.write(octal(type === "folder" ? 0o700 : 0o600, 8), 100);
  header.write(octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(Math.floor(mtime.getTime() / 1_000), 12), 108);
  header.write("        ", 148);
  header.write(TYPES[type], 156);
  header.write("ustar\0", 257);
  header.write("00", 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** The zeros between data of this size and the next header. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** The end of a tar file. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** The entries of a tar file. A large file is several entries, each with a part of its data. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  let waiting = Buffer.alloc(0);
  let open: { name: string; left: number; padding: number } | undefined;
  for await (const chunk of chunks) {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      if (open === undefined) {
        if (waiting.length < BLOCK || waiting[0] === 0) break;
        const size = Number.parseInt(readField(waiting, 124, 12), 8);
        const [name, type] = [readField(waiting, 0, 100), readField(waiting, 156, 1)];
        waiting = waiting.subarray(BLOCK);
        if (type === TYPES.folder) yield { name, type: "folder", data: Buffer.alloc(0) };
        else open = { name, left: size, padding: tarPadding(size).length };
        if (open !== undefined && size === 0) yield { name, type: "file", data: Buffer.alloc(0) };
      } else if (open.left > 0) {
        if (waiting.length === 0) break;
        const data = waiting.subarray(0, open.left);
        yield { name: open.name, type: "file", data };
        waiting = waiting.subarray(data.length);
        open.left -= data.length;
      } else {
        if (waiting.length < open.padding) break;
        waiting = waiting.subarray(open.padding);
        open = undefined;
      }
    }
  }
}

function readField(block: Buffer, start: number, length: number): string {
  return block.toString("latin1", start, start + length).replace(/\0.*$/s, "");
}
