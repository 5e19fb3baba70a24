/** The hosts of a setting, `host` or `host:port`, in lower case. Undefined if one is not a host. */
export function readHosts(text: string): string[] | undefined {
  const hosts = text.split(",").map((host) => host.trim().toLowerCase());
  const isHost = (host: string) => URL.canParse(`tcp://${host}`) && /^(\[[0-9a-f:.]+\]|[^\s/@?#:]+)(:\d+)?$/.test(host);
  return hosts.every(isHost) ? hosts : undefined;
}

/** Whether a setting names a host, with every port or with this one. @param hosts in lower case, as the host is */
export function isListedHost({ host, port }: { host: string; port: number | string }, hosts: readonly string[]): boolean {
  return hosts.includes(host) || hosts.includes(`${host}:${port}`);
}

/** The host and the port of an http or https URL. The port is there even if the scheme implies it. */
export function hostOf({ hostname, port, protocol }: URL): { host: string; port: string } {
  return { host: hostname, port: port || (protocol === "https:" ? "443" : "80") };
}
