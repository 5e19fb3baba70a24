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

/** The entries of a tar file, whose data is not copied. */
export function* readTar(tar: Buffer): Generator<TarEntry> {
  const text = (start: number, length: number) => {
    const field = tar.toString("utf8", start, start + length);
    return field.slice(0, field.indexOf("\0") < 0 ? length : field.indexOf("\0"));
  };
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const type = text(at + 156, 1) === TYPES.folder ? "folder" : "file";
    const start = at + BLOCK;
    yield { name: text(at, 100), type, data: tar.subarray(start, start + size) };
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}
