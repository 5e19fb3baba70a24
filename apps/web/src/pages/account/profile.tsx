import { useState } from "react";
import { call, invalidate } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain, violationsByPlace } from "../../explain.ts";
import { SaveBar } from "../../saving/save-bar.tsx";
import { useAccount } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";

/** Changes by field. */
type Edits = { firstName?: string; lastName?: string; defaultProjectID?: string };

/** The person's name and default project. They concern no one else, so they are saved without a review. */
export function Profile() {
  const { person, projects, defaultProjectID } = useAccount();
  const stored: Required<Edits> = { firstName: person.firstName, lastName: person.lastName, defaultProjectID: defaultProjectID ?? "" };
  const [edits, setEdits] = useState<Edits>({});
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const shown = { ...stored, ...edits };
  const changed = Object.fromEntries(Object.entries(edits).filter(([name, value]) => value !== stored[name as keyof Edits]));
  const faults = violationsByPlace(error);
  const edit = (more: Edits) => {
    setError(undefined);
    setEdits({ ...edits, ...more });
  };
  const save = async () => {
    setPending(true);
    try {
      await call("updateSession", { body: changed });
      await invalidate("getSession", "listUsers", "listPeople");
      setEdits({});
      toast({ text: "Account saved" });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Section title="You" description="Your name is shown next to changes you make.">
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      <div className={entity.card}>
        <TextField
          label="First name"
          autoComplete="given-name"
          value={shown.firstName}
          onChange={(firstName) => edit({ firstName })}
          error={faults.get("firstName")}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          value={shown.lastName}
          onChange={(lastName) => edit({ lastName })}
          error={faults.get("lastName")}
        />
        <Select
          label="Default project"
          options={projects.map(({ id, name }) => ({ id, label: name }))}
          value={shown.defaultProjectID}
          onChange={(id) => edit({ defaultProjectID: id })}
          description="Opens when you sign in. Also used for API requests that don’t name a project."
        />
      </div>
      <SaveBar
        count={Object.keys(changed).length}
        label="Save"
        isBehind={false}
        onReview={() => void save()}
        onDiscard={() => setEdits({})}
        disabledReason={isPending ? "Saving…" : undefined}
      />
    </Section>
  );
}
