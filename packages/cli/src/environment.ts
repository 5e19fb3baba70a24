/** The environment variables that the command line reads. */
export const environment = {
  url: process.env.GATEHOUSE_URL || undefined,
  key: process.env.GATEHOUSE_KEY || undefined,
  profile: process.env.GATEHOUSE_PROFILE || undefined,
  /** Any value turns colors off: https://no-color.org */
  noColor: Boolean(process.env.NO_COLOR),
  forceColor: Boolean(process.env.FORCE_COLOR),
  /** Whether programs can show windows on Linux and other systems like it. */
  hasDisplay: Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY),
  configFolder: process.env.XDG_CONFIG_HOME || undefined,
  appData: process.env.APPDATA || undefined,
  /** The token of another system. */
  token: (variable: string): string | undefined => process.env[variable] || undefined,
};
