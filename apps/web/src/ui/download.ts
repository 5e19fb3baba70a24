/** Saves texts or received data as a file of the reader. */
export function downloadFile(name: string, parts: readonly (string | Blob)[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Browsers have begun to read the file when the click returns.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
