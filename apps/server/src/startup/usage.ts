import { ADMIN_COMMAND, START_COMMAND } from "../common/commands.ts";

const USAGE = `Usage: ${START_COMMAND}

Starts the server. It takes no arguments: its settings are environment variables, and README.md lists them.
  DATABASE_URL         a Postgres; without it, the database is in GATEHOUSE_DATA_DIR
  GATEHOUSE_DATA_DIR   the folder of the embedded database; .gatehouse if it is not set
  HOST, PORT           where the server listens; 127.0.0.1 and 4000 if they are not set

Other commands, such as keys and audit: ${ADMIN_COMMAND} --help
A relay in front of another server: ${ADMIN_COMMAND} relay --help
`;

/** The text to print instead of starting a server, and the exit code. Undefined without arguments. */
export function answerArguments(args: readonly string[]): { text: string; code: 0 | 2 } | undefined {
  const [first] = args.filter((argument) => argument !== "--");
  if (first === undefined) return undefined;
  if (["--help", "-h"].includes(first)) return { text: USAGE, code: 0 };
  return { text: `The server has no argument ${first}.\n\n${USAGE}`, code: 2 };
}
