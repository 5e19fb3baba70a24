import { useState } from "react";
import { call, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { PromptDatasetChoice } from "../../entity/entity-choice.tsx";
import { explain, violationsByPlace } from "../../explain.ts";
import { numberText } from "../../results/verdicts.ts";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { useUnreadReason } from "../../ui/unread.ts";
import { ConnectEndpoint } from "./connect-endpoint.tsx";
import { placeholdersIn, toRun, type Version, type VersionDraft } from "./version-draft.ts";

const MAX_ROW = 1_000;

type Action = "row" | "preview" | "run";

type Props = {
  prompt: Schema<"Prompt">;
  /** The version as it is edited, which may not be stored. */
  draft: VersionDraft;
  /** The version that the draft began with. */
  version: Version;
};

/** The messages as a model receives them, and what it answered if it was asked. */
type Shown = Schema<"PromptPreview"> & Partial<Omit<Schema<"PromptRun">, keyof Schema<"PromptPreview">>>;

/** The messages of a version with values, as the model receives them, and the answer of the model. */
export function Preview({ prompt, draft, version }: Props) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState<Action>();
  const refusal = useRefusal()("edit_or_delete_configs");
  const unread = useUnreadReason();
  const { prompts, ...request } = toRun(draft, version);
  const empty = prompts.length === 0 ? "Enter a message first." : undefined;
  const names = placeholdersIn(prompts);
  const attempt = async (action: Action, act: () => Promise<void>) => {
    setPending(action);
    setError(undefined);
    try {
      await act();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(undefined);
    }
  };
  // A placeholder without a value is missing, not empty.
  const input = Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  const path = { id: prompt.id };
  const preview = () => attempt("preview", async () => setShown((await call("previewPrompt", { path, body: { prompts, input } })).data));
  const run = () => attempt("run", async () => setShown((await call("runPrompt", { path, body: { ...request, prompts, input } })).data));
  return (
    <>
      <Section title="Values" description="Fill in the placeholders, or take the values from a row of a dataset.">
        <div className={entity.card}>
          <RowPicker
            initial={prompt.evaluation?.datasetID ?? null}
            onPick={(datasetID, row) =>
              void attempt("row", async () => {
                const { rows } = (await call("getPromptDataset", { path: { id: datasetID } })).data;
                setValues(rows[row - 1]?.input ?? {});
              })
            }
          />
          {names.map((name) => (
            <TextField
              key={name}
              label={name}
              rows={2}
              value={values[name] ?? ""}
              onChange={(value) => setValues({ ...values, [name]: value })}
            />
          ))}
          {names.length === 0 && <p className={entity.soft}>The messages have no placeholders.</p>}
        </div>
      </Section>
      <Section
        title="Result"
        description="Preview shows the messages as the model receives them. Run also sends them to the model and shows its output. Results aren’t stored."
        actions={
          <>
            <Button onPress={preview} isPending={pending === "preview"} disabledReason={unread ?? empty}>
              Preview
            </Button>
            <Button look="primary" onPress={run} isPending={pending === "run"} disabledReason={refusal ?? unread ?? empty}>
              Run
            </Button>
          </>
        }
      >
        {error !== undefined && <Notice tone="bad">{[...violationsByPlace(error).values()].join(" ") || explain(error)}</Notice>}
        {shown && shown.missing.length > 0 && <Notice tone="warn">{`No value for: ${shown.missing.join(", ")}`}</Notice>}
        {shown?.messages.map(({ role, content }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message has no identity but its place.
          <article key={index} className={entity.card} aria-label={`Message ${index + 1} with values`}>
            <span className={entity.soft}>{role}</span>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <pre className={entity.value} tabIndex={0}>
              {content}
            </pre>
          </article>
        ))}
        {shown?.reason && (
          <Notice tone="bad" title="No output">
            {shown.reason} <ConnectEndpoint reason={shown.reason} />
          </Notice>
        )}
        {shown?.output != null && <Output {...shown} output={shown.output} />}
      </Section>
    </>
  );
}

function Output({ output, model, durationMs }: Pick<Shown, "model" | "durationMs"> & { output: string }) {
  const took = durationMs == null ? "" : ` in ${numberText(durationMs / 1_000)} s`;
  return (
    <article className={entity.card} aria-label="Output">
      <span className={entity.soft}>
        Output of <bdi>{model}</bdi>
        {took}
      </span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre className={entity.value} tabIndex={0}>
        {output}
      </pre>
    </article>
  );
}

function RowPicker({ initial, onPick }: { initial: string | null; onPick: (datasetID: string, row: number) => void }) {
  const [datasetID, setDatasetID] = useState(initial);
  const [row, setRow] = useState(1);
  return (
    <div className={entity.row}>
      <PromptDatasetChoice label="Dataset" value={datasetID} onChange={setDatasetID} placeholder="Search prompt datasets" />
      <NumberField label="Row" minValue={1} maxValue={MAX_ROW} decimals={0} value={row} onChange={setRow} />
      <Button
        onPress={() => datasetID !== null && onPick(datasetID, row)}
        disabledReason={datasetID === null ? "Choose a dataset first." : undefined}
      >
        Use row
      </Button>
    </div>
  );
}
