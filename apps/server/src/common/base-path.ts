/** The path of the server's public URL, without a slash at its end: `/gatehouse`. Empty if it has none. */
export function basePathOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
}
