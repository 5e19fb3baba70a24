import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, query } from "../../api.ts";
import { type EditProps, EntityPage } from "../../entity/entity-page.tsx";
import { ReadBy } from "../../entity/read-by.tsx";
import { UsedByTab } from "../../entity/used-by-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import { faultsOfRules } from "../../targeting/rule-faults.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { soon } from "../../ui/soon.tsx";
import { SegmentActions } from "./actions.tsx";
import { RulesTab } from "./rules-tab.tsx";
import {
  knownEntities,
  type Segment,
  type SegmentDraft,
  type StoredSegment,
  segmentModel,
  toPreview,
  toTargeting,
  toWriteRequests,
} from "./segment-draft.ts";
import { isIDList, TYPES } from "./states.ts";

const DetailsTab = soon(() => import("./details-tab.tsx"));
const SegmentHistory = soon(() => import("./history-tab.tsx"));
const IDsTab = soon(() => import("./ids-tab.tsx"));
const FROM = "/projects/$projectID/segments/$id";

const findFaults = ({ rules, stored }: SegmentDraft) => faultsOfRules(rules, stored.entity.rules, Date.now());

export default function SegmentPage() {
  const { id } = useParams({ from: FROM });
  // A draft belongs to one segment: another one starts a new draft.
  return <SegmentView key={`${currentProjectID()} ${id}`} id={id} />;
}

function SegmentView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getSegment", { path: { id } }));
  const stored = useMemo((): StoredSegment => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: segment } = stored;
  const all = useEnvironmentNames();
  return (
    <EntityPage
      noun="segment"
      list={
        <Link to="/projects/$projectID/segments" params={{ projectID }}>
          Segments
        </Link>
      }
      stored={stored}
      model={segmentModel}
      beside={
        <>
          <Badge tone={segment.isEnabled ? "active" : "off"}>{segment.isEnabled ? TYPES[segment.type] : "Archived"}</Badge>
          <code>{segment.id}</code>
        </>
      }
      lockedReason={segment.isEnabled ? undefined : "Unarchive the segment to change it."}
      notices={!segment.isEnabled && <Notice>This segment is archived and matches no users.</Notice>}
      actions={({ count }) => <SegmentActions stored={stored} hasDraft={count > 0} />}
      findFaults={findFaults}
      write={toWriteRequests}
      inWords={(draft, changes) => describeChanges(changes, knownEntities(draft), undefined, all)}
      environments={(draft) =>
        environmentsInWords(environmentsTouched(toTargeting(draft.stored.entity), toTargeting(toPreview(draft)), all), all)
      }
      also={<ReadBy type="segment" id={id} noun="segment" />}
      reads={{ own: ["getSegment"], others: ["listSegments", "listSegmentVersions"] }}
      tabs={kinds.segment.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "members":
            return <Members segment={segment} {...shared} />;
          case "history":
            return <SegmentHistory stored={stored} disabledReason={restoreReason} />;
          case "used-by":
            return (
              <UsedByTab type="segment" id={id} noun="segment">
                Gates, dynamic configs, experiments, and segments that use it are listed here.
              </UsedByTab>
            );
          case "details":
            return <DetailsTab {...shared} />;
        }
      }}
    />
  );
}

function Members({ segment, ...shared }: EditProps<SegmentDraft> & { segment: Segment }) {
  if (segment.type === "rule_based") return <RulesTab {...shared} />;
  if (isIDList(segment.type)) return <IDsTab segment={segment} type={segment.type} disabledReason={shared.disabledReason} />;
  return <Notice>Analysis lists are kept from imported projects. They aren’t evaluated and match no users.</Notice>;
}
