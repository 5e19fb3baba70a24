import { Plus } from "lucide-react";
import { useState } from "react";
import { invalidate, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Compared } from "../../saving/compared.tsx";
import { ActorName } from "../../shell/actor-name.tsx";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { AddVersion } from "./add-version.tsx";
import { versionText } from "./version-text.ts";

type Prompt = Schema<"Prompt">;
type Version = Schema<"PromptVersion">;

const readAgain = () => invalidate("getPrompt", "listPrompts", "listPromptVersions", "listChanges");

type Props = { prompt: Prompt; etag: string; disabledReason: string | undefined };

/** The versions of a prompt: which one is live, and how two differ. */
export function Versions({ prompt, etag, disabledReason }: Props) {
  const { versions = [], liveVersionID = null } = prompt;
  const live = versions.find(({ id }) => id === liveVersionID);
  const newestFirst = versions.toReversed();
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button onPress={() => setAdding(true)} disabledReason={disabledReason}>
      <Plus aria-hidden="true" />
      Add version
    </Button>
  );
  return (
    <>
      <Section
        title="Versions"
        description="Applications use the live version. Candidates can be compared with it."
        actions={versions.length > 0 && add}
      >
        {versions.length > 0 && live === undefined && (
          <Notice>No version is live. Apps get nothing from this prompt until you make one live.</Notice>
        )}
        {versions.length === 0 ? (
          <Empty title="No versions yet" action={add}>
            A version has the messages, the model and its parameters.
          </Empty>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          <section className={entity.scroll} tabIndex={0} aria-label="Table of versions">
            <table className={entity.table}>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">State</th>
                  <th scope="col">Model</th>
                  <th scope="col">Added</th>
                  <th scope="col">Actions</th>
                </tr>
              </thead>
              <tbody>
                {newestFirst.map((version) => (
                  <VersionRow key={version.id} prompt={prompt} version={version} etag={etag} disabledReason={disabledReason} />
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Section>
      {versions.length > 0 && <Comparison versions={newestFirst} live={live} />}
      {isAdding && <AddVersion promptID={prompt.id} etag={etag} from={live ?? newestFirst[0]} onClose={() => setAdding(false)} />}
    </>
  );
}

type RowProps = Props & { version: Version };

function VersionRow({ prompt, version, etag, disabledReason }: RowProps) {
  const { id, name, description, model, createdTime, creatorID, creatorName } = version;
  const isLive = id === prompt.liveVersionID;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {description !== "" && (
          <div className={entity.soft}>
            <bdi>{description}</bdi>
          </div>
        )}
      </th>
      <td>
        <Badge tone={isLive ? "good" : "plain"}>{isLive ? "Live" : "Candidate"}</Badge>
      </td>
      <td>
        <bdi>{model ?? "Not set"}</bdi>
      </td>
      <td>
        <Time time={createdTime} /> by <ActorName id={creatorID} name={creatorName} />
      </td>
      <td>
        <EntitySteps
          name={name}
          hasDraft={false}
          partNames={Object.fromEntries((prompt.versions ?? []).map((one) => [one.id, one.name]))}
          steps={[
            {
              id: `make-live ${id}`,
              label: isLive ? "Take offline" : "Make live",
              question: isLive ? `Take “${name}” offline?` : `Make “${name}” live?`,
              request: { operationId: "patchPrompt", path: { id: prompt.id }, body: { liveVersionID: isLive ? null : id }, ifMatch: etag },
              about: <p>{isLive ? "Applications use their own fallback." : "Applications use this version within seconds."}</p>,
              done: isLive ? "is no longer live" : "is live",
              disabledReason,
            },
            {
              id: `delete ${id}`,
              label: "Delete",
              question: `Delete “${name}”?`,
              request: { operationId: "deletePromptVersion", path: { id: prompt.id, versionID: id }, ifMatch: etag },
              about: <p>To get it back, restore an earlier state of the prompt from History.</p>,
              done: "is deleted",
              isDangerous: true,
              disabledReason: isLive ? "Take this version offline or make another one live first" : disabledReason,
            },
          ]}
          onConflict={() => void readAgain()}
          onDone={readAgain}
        />
      </td>
    </tr>
  );
}

/** Two versions side by side. By default, the live one and the newest candidate. */
function Comparison({ versions, live }: { versions: readonly Version[]; live: Version | undefined }) {
  const others = versions.filter((version) => version !== live);
  const [leftID, setLeftID] = useState<string>();
  const [rightID, setRightID] = useState<string>();
  const find = (id: string | undefined) => versions.find((version) => version.id === id);
  const left = find(leftID) ?? live ?? others[1] ?? versions[0];
  const right = find(rightID) ?? others[0] ?? versions[0];
  if (!left || !right) return null;
  const options = versions.map(({ id, name }) => ({ id, label: name, ...(id === live?.id && { hint: "Live" }) }));
  return (
    <Section title="Compare" description="Words that differ are marked.">
      <div className={entity.row}>
        <Select label="Left version" options={options} value={left.id} onChange={setLeftID} />
        <Select label="Right version" options={options} value={right.id} onChange={setRightID} />
      </div>
      <Compared left={{ title: left.name, text: versionText(left) }} right={{ title: right.name, text: versionText(right) }} />
    </Section>
  );
}
