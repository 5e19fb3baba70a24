/** The folder where the command was run. pnpm runs scripts in the folder of their package. */
export function callerFolder(): string {
  // biome-ignore lint/style/noProcessEnv: pnpm sets it, not the operator
  return process.env.INIT_CWD ?? process.cwd();
}
