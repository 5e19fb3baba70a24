import { useState } from "react";
import { ConsoleApiError, call } from "../../api.ts";
import { counted, exact } from "../../charts/format.ts";
import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { explain, violationsByPlace } from "../../explain.ts";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { FileButton } from "../../ui/file-button.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { type DatasetDraft, inputNames, type Row } from "./dataset-draft.ts";
import { readFileRows } from "./file-rows.ts";

const SHOWN_ROWS = 20;
const FILES = [".csv", ".json", "text/csv", "application/json"];
/** More than the longest text that the server reads has. */
const MAX_BYTES = 2_000_000;
const UPLOAD = "Upload CSV or JSON";

/** The rows of a dataset, and the upload that replaces them in the draft. */
export function RowsTab({ draft, onChange, disabledReason, faults }: EditProps<DatasetDraft>) {
  const { rows } = draft.fields;
  const [refused, setRefused] = useState<{ file: string; lines: string[] }>();
  const choose = async (file: File) => {
    setRefused(undefined);
    const read = await readRows(draft.stored.entity.id, file);
    if ("rows" in read) onChange(setFields(draft, { rows: read.rows }));
    else setRefused({ file: file.name, lines: read.faults });
  };
  const upload =
    disabledReason === undefined ? (
      <FileButton label={UPLOAD} accept={FILES} onChoose={(file) => void choose(file)} />
    ) : (
      <Button disabledReason={disabledReason}>{UPLOAD}</Button>
    );
  return (
    <Section
      title="Rows"
      description="Inputs fill the placeholders of a prompt. Graders compare the model’s output with the expected output."
      actions={rows.length > 0 && upload}
    >
      {refused !== undefined && (
        <Notice tone="bad" title={`${refused.file} can’t be read`}>
          <ul>
            {refused.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Notice>
      )}
      {faults.map(
        ({ property, message }) => property.startsWith("rows") && <Notice key={property} tone="bad">{`${property}: ${message}`}</Notice>,
      )}
      {rows.length === 0 ? (
        <Empty title="No rows yet" action={upload}>
          Use a CSV file with a column for each placeholder and a column named “expected”, or a JSON file with a list such as{" "}
          <code>{'[{ "input": { "order": "One lamp" }, "expected": "A lamp." }]'}</code>.
        </Empty>
      ) : (
        <>
          <p className={entity.soft}>
            {rows.length > SHOWN_ROWS
              ? `The first ${exact(SHOWN_ROWS)} of ${counted(rows.length, "rows")}.`
              : `${counted(rows.length, "rows")}.`}{" "}
            An upload replaces all rows once you save.
          </p>
          <RowTable rows={rows} />
        </>
      )}
    </Section>
  );
}

/** The rows in a file. The server reads it without storing anything. */
async function readRows(id: string, file: File): Promise<{ rows: Row[] } | { faults: string[] }> {
  if (file.size > MAX_BYTES) return { faults: ["Use a file of at most 2 MB."] };
  const read = readFileRows(file.name, await file.text());
  if ("fault" in read) return { faults: [read.fault] };
  try {
    return { rows: (await call("patchPromptDataset", { path: { id }, body: read.body, query: { dryRun: true } })).data.rows };
  } catch (error) {
    if (!(error instanceof ConsoleApiError)) throw error;
    const faults = [...violationsByPlace(error)].map(([property, message]) => {
      const place = read.placeOf(property);
      return property === "csv" ? message : `${place === undefined ? "" : `${place}: `}${property} ${message}`;
    });
    return { faults: faults.length === 0 ? [explain(error)] : faults };
  }
}

function RowTable({ rows }: { rows: readonly Row[] }) {
  const names = inputNames(rows);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={entity.scroll} tabIndex={0} aria-label="Table of rows">
      <table className={entity.table} aria-label="Rows">
        <thead>
          <tr>
            <th scope="col">Row</th>
            {names.map((name) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
            <th scope="col">Expected output</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map(({ input, expected }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place.
            <tr key={index}>
              <th scope="row">{index + 1}</th>
              {names.map((name) => (
                <td key={name}>
                  <bdi>{input[name]}</bdi>
                </td>
              ))}
              <td>
                <bdi>{expected}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
