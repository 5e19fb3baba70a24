import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import entityStyles from "../../entity/entity.module.css";
import { Facts } from "../../entity/facts.tsx";
import { faultsWith } from "../../entity/faults.ts";
import { useEntityTabs } from "../../entity/use-entity-tabs.ts";
import { ReadBy, UsedByTab } from "../../entity/used-by-tab.tsx";
import { Review } from "../../saving/review.tsx";
import { Saving } from "../../saving/saving.tsx";
import { useDraft } from "../../saving/use-draft.ts";
import { useRefusal } from "../../session/account.ts";
import { useEnvironments } from "../../shell/environments.ts";
import { Page } from "../../shell/page.tsx";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import { faultsOfRules } from "../../targeting/rule-faults.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toast.tsx";
import { SegmentActions } from "./actions.tsx";
import { SegmentHistory, targetingOf } from "./history.tsx";
import { IDsTab } from "./ids-tab.tsx";
import type { Tab } from "./page-search.ts";
import { RulesTab } from "./rules-tab.tsx";
import { knownEntities, previewOf, type Segment, type StoredSegment, segmentModel, writeOf } from "./segment-draft.ts";
import { isIDList, TYPES } from "./states.ts";

const FROM = "/projects/$projectID/segments/$id";

const TABS: Record<Tab, string> = { members: "Who is in it", history: "History", "used-by": "Used by", details: "Details" };

export default function SegmentPage() {
  const { id } = useParams({ from: FROM });
  // A draft belongs to one segment: another one begins anew.
  return <SegmentOf key={`${currentProjectID()} ${id}`} id={id} />;
}

function SegmentOf({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { tab = "members" } = useSearch({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getSegment", { path: { id } }));
  const stored = useMemo((): StoredSegment => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: segment } = stored;
  const drafting = useDraft(segmentModel, stored);
  const { draft, edit, count, refused } = drafting;
  const open = useEntityTabs(TABS, "members", drafting);
  const all = useEnvironments().map(({ name }) => name);
  const refusal = useRefusal()("edit_or_delete_configs");
  const disabledReason = refusal ?? (segment.isEnabled ? undefined : "The segment is archived. Unarchive it to change it.");
  const ours = useMemo(() => faultsOfRules(draft.rules, draft.stored.entity.rules, Date.now()), [draft]);
  const saved = async () => {
    await readAgain();
    await invalidate("listSegments", "listSegmentVersions", "listChanges", "listReferences");
    toast({ text: `${segment.name} is saved`, action: { label: "See the history", onPress: () => open("history") } });
  };
  return (
    <Page
      title={segment.name}
      above={
        <Link to="/projects/$projectID/segments" params={{ projectID }}>
          Segments
        </Link>
      }
      beside={
        <>
          <Badge tone={segment.isEnabled ? "active" : "off"}>{segment.isEnabled ? TYPES[segment.type] : "Archived"}</Badge>
          <code>{segment.id}</code>
        </>
      }
      actions={<SegmentActions stored={stored} hasDraft={count > 0} />}
    >
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      {!segment.isEnabled && <Notice>This segment is archived: nobody is in it, and lists omit it.</Notice>}
      <Tabs
        label="Parts of the segment"
        selected={tab}
        onSelect={open}
        tabs={[
          {
            id: "members",
            label: TABS.members,
            content: () =>
              segment.type === "rule_based" ? (
                <RulesTab draft={draft} onChange={edit} disabledReason={disabledReason} faults={faultsWith(ours, refused)} />
              ) : isIDList(segment.type) ? (
                <IDsTab segment={segment} type={segment.type} disabledReason={disabledReason} />
              ) : (
                <Notice>Analysis lists are kept for those who moved here with them. Nothing evaluates them, so nobody is in one.</Notice>
              ),
          },
          {
            id: "history",
            label: TABS.history,
            content: () => (
              <SegmentHistory
                stored={stored}
                disabledReason={disabledReason ?? (count > 0 ? "Save or discard your changes first." : undefined)}
              />
            ),
          },
          {
            id: "used-by",
            label: TABS["used-by"],
            content: () => (
              <UsedByTab type="segment" id={id} noun="segment">
                Gates, dynamic configs, experiments and segments whose conditions refer to it would be listed here.
              </UsedByTab>
            ),
          },
          { id: "details", label: TABS.details, content: () => <Details segment={segment} /> },
        ]}
      />
      <Saving
        model={segmentModel}
        drafting={drafting}
        stored={stored}
        last={segment}
        versionOf={({ entity }) => entity.version}
        disabledReason={ours.some(({ level }) => level === "error") ? "Complete what is marked first." : undefined}
        review={(edits, handlers) => (
          <Review
            title={`Review the changes of ${segment.name}`}
            write={writeOf(edits)}
            inWords={(changes) => describeChanges(changes, knownEntities(edits))}
            environments={environmentsInWords(
              environmentsTouched(targetingOf(edits.stored.entity), targetingOf(previewOf(edits)), all),
              all,
            )}
            {...handlers}
          >
            <ReadBy type="segment" id={id} noun="segment" />
          </Review>
        )}
        onReadAgain={readAgain}
        onSaved={() => void saved()}
      />
    </Page>
  );
}

function Details({ segment }: { segment: Segment }) {
  return (
    <div className={entityStyles.columns}>
      <Facts
        id={segment.id}
        of={segment}
        facts={[
          { term: "Description", is: <bdi>{segment.description || "None"}</bdi> },
          { term: "Tags", is: segment.tags.length === 0 ? "None" : segment.tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
          { term: "Unit ID type", is: <bdi>{segment.idType}</bdi> },
          { term: "Team", is: <bdi>{segment.team ?? "None"}</bdi> },
          { term: "Target apps", is: <bdi>{segment.targetApps.join(", ") || "All"}</bdi> },
        ]}
      />
    </div>
  );
}

const readAgain = () => invalidate("getSegment");
