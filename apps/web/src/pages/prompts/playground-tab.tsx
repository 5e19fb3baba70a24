import { useState } from "react";
import type { Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { equal } from "../../targeting/equal.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Empty } from "../../ui/notice.tsx";
import { useUnreadReason } from "../../ui/unread.ts";
import { AddVersion } from "./add-version.tsx";
import { Preview } from "./preview.tsx";
import { toDraft, type Version, type VersionDraft } from "./version-draft.ts";
import { VersionFields } from "./version-fields.tsx";

const NO_FAULTS: ReadonlyMap<string, string> = new Map();

type Props = { prompt: Schema<"Prompt">; etag: string; disabledReason: string | undefined };

/** Tries messages with values before they become a version. */
export default function PlaygroundTab({ prompt, etag, disabledReason }: Props) {
  const { versions = [], liveVersionID } = prompt;
  const [chosen, setChosen] = useState<string>();
  const find = (id: string | null | undefined) => versions.find((version) => version.id === id);
  const version = find(chosen) ?? find(liveVersionID) ?? versions.at(-1);
  if (version === undefined) return <Empty title="No versions yet">Add a version to try its messages with values.</Empty>;
  return (
    <>
      <Select
        label="Start from version"
        options={versions.toReversed().map(({ id, name }) => ({ id, label: name, ...(id === liveVersionID && { hint: "Live" }) }))}
        value={version.id}
        onChange={setChosen}
      />
      <Playground key={version.id} prompt={prompt} etag={etag} disabledReason={disabledReason} version={version} onAdded={setChosen} />
    </>
  );
}

type PlaygroundProps = Props & { version: Version; onAdded: (id: string) => void };

function Playground({ prompt, etag, disabledReason, version, onAdded }: PlaygroundProps) {
  const [draft, setDraft] = useState<VersionDraft>(() => toDraft(version));
  const [isAdding, setAdding] = useState(false);
  const unread = useUnreadReason();
  const isChanged = !equal(draft, toDraft(version));
  return (
    <>
      <Section
        title="Messages"
        description="Changes are lost when you leave this page or choose another version."
        actions={
          <>
            <Button onPress={() => setDraft(toDraft(version))} disabledReason={isChanged ? undefined : "Change something first."}>
              Discard changes
            </Button>
            <Button
              look="primary"
              onPress={() => setAdding(true)}
              disabledReason={disabledReason ?? unread ?? (isChanged ? undefined : "Change the messages or the model first.")}
            >
              Add as version
            </Button>
          </>
        }
      >
        <div className={entity.card}>
          <VersionFields draft={draft} onChange={setDraft} faults={NO_FAULTS} />
        </div>
      </Section>
      <Preview prompt={prompt} draft={draft} version={version} />
      {isAdding && (
        <AddVersion promptID={prompt.id} etag={etag} from={version} edited={draft} onAdded={onAdded} onClose={() => setAdding(false)} />
      )}
    </>
  );
}
