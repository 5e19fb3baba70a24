import { useState } from "react";
import { call, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { PromptDatasetChoice } from "../../entity/entity-choice.tsx";
import { explain, violationsByPlace } from "../../explain.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { placeholdersIn, type Version } from "./version-draft.ts";

const MAX_ROW = 1_000;

type Props = { prompt: Schema<"Prompt">; version: Version; disabledReason: string | undefined };

/** The messages of a version with values, as the model receives them. */
export function Preview({ prompt, version, disabledReason }: Props) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [rendered, setRendered] = useState<Schema<"PromptPreview">>();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const names = placeholdersIn(version.prompts);
  const attempt = async (act: () => Promise<void>) => {
    setPending(true);
    setError(undefined);
    try {
      await act();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  const preview = () =>
    attempt(async () => {
      // A placeholder without a value is missing, not empty.
      const input = Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
      setRendered((await call("previewPromptVersion", { path: { id: prompt.id, versionID: version.id }, body: { input } })).data);
    });
  return (
    <>
      <Section title="Values" description="Fill in the placeholders, or take the values from a row of a dataset.">
        <div className={entity.card}>
          <RowPicker
            initial={prompt.evaluation?.datasetID ?? null}
            onPick={(datasetID, row) =>
              void attempt(async () => {
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
        title="Preview"
        description="See the messages as the model receives them. This doesn’t call the model."
        actions={
          <Button onPress={preview} isPending={isPending} disabledReason={disabledReason}>
            Preview
          </Button>
        }
      >
        {error !== undefined && <Notice tone="bad">{[...violationsByPlace(error).values()].join(" ") || explain(error)}</Notice>}
        {rendered && rendered.missing.length > 0 && <Notice tone="warn">{`No value for: ${rendered.missing.join(", ")}`}</Notice>}
        {rendered?.messages.map(({ role, content }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message has no identity but its place.
          <article key={index} className={entity.card} aria-label={`Message ${index + 1} of the preview`}>
            <span className={entity.soft}>{role}</span>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <pre className={entity.value} tabIndex={0}>
              {content}
            </pre>
          </article>
        ))}
      </Section>
    </>
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
