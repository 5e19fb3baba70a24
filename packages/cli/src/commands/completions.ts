import type { Command, Option } from "commander";
import { CliError } from "../cli-error.ts";
import { isKind, KINDS } from "../files/kinds.ts";
import { operations } from "../operations.ts";
import { print } from "../output.ts";
import { readProfiles } from "../profiles.ts";

/** Scripts that ask the hidden command for the next words. Without any, the shell completes files. */
const SCRIPTS: Record<string, string> = {
  bash: `_gatehouse() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(gatehouse __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatehouse gatehouse`,
  zsh: `#compdef gatehouse
_gatehouse() {
  local -a found
  found=("\${(@f)$(gatehouse __complete -- "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _gatehouse gatehouse`,
  fish: `complete -c gatehouse -f -a '(gatehouse __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

export function addCompletions(program: Command): void {
  program
    .command("completions")
    .description("Print a script that completes commands in your shell")
    .argument("<shell>", Object.keys(SCRIPTS).join(", "))
    .addHelpText("after", "\nFor example, add this line to ~/.bashrc:\n  source <(gatehouse completions bash)")
    .action((shell: string) => {
      const script = SCRIPTS[shell];
      if (script === undefined) throw new CliError(`${shell} is not a supported shell.`, `Shells: ${Object.keys(SCRIPTS).join(", ")}.`);
      print(script);
    });
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .action((words: string[]) => {
      const found = complete(program, words);
      if (found.length > 0) print(found.join("\n"));
    });
}

/** The words that can replace the last of these words. */
function complete(program: Command, words: readonly string[]): string[] {
  const [last = "", ...before] = words.toReversed();
  let command = program;
  let option: Option | undefined;
  for (const word of before.toReversed()) {
    option = findOption(command, word);
    command = command.commands.find((one) => one.name() === word) ?? command;
  }
  const candidates = option ? valuesOf(option) : last.startsWith("-") ? optionsOf(command) : wordsOf(command);
  return candidates.filter((one) => one.startsWith(last)).sort();
}

/** The option whose value comes next. */
function findOption(command: Command, word: string): Option | undefined {
  const option = lineage(command)
    .flatMap(({ options }) => options)
    .find(({ long, short }) => word === long || word === short);
  return option && (option.required || option.optional) ? option : undefined;
}

function lineage(command: Command): Command[] {
  return command.parent ? [command, ...lineage(command.parent)] : [command];
}

function optionsOf(command: Command): string[] {
  return ["--help", ...lineage(command).flatMap(({ options }) => options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : [])))];
}

function valuesOf({ argChoices, long }: Option): string[] {
  if (argChoices) return [...argChoices];
  return ["--profile", "--from", "--to"].includes(long ?? "") ? Object.keys(readProfiles().profiles) : [];
}

function wordsOf(command: Command): string[] {
  if (command.name() === "call") return operations.map(({ operationId }) => operationId);
  if (command.name() === "completions") return Object.keys(SCRIPTS);
  if (command.name() === "promote") return KINDS.filter((kind) => isKind(kind) && kind !== "environments").map((kind) => `${kind}/`);
  return command.commands.filter((one) => !one.name().startsWith("__")).map((one) => one.name());
}
