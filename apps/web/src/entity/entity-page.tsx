import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { Star } from "lucide-react";
import { type ReactNode, Suspense, useMemo } from "react";
import type { BatchRequest, CallID, Changes } from "../api.ts";
import { invalidate, query } from "../api.ts";
import { violationsByPlace } from "../explain.ts";
import { type Noun, typeWithNoun } from "../kinds/kinds.ts";
import type { DraftModel, Stored } from "../saving/draft-model.ts";
import { Review } from "../saving/review.tsx";
import { Saving } from "../saving/saving.tsx";
import { type Drafting, useDraft } from "../saving/use-draft.ts";
import { type Permission, useRefusal } from "../session/account.ts";
import { useFavorite } from "../shell/favorites.ts";
import { Page } from "../shell/page.tsx";
import { useVisit } from "../shell/visited.ts";
import type { DescribedEntity } from "../targeting/changes.ts";
import type { Fault } from "../targeting/types.ts";
import { IconButton } from "../ui/button.tsx";
import { editorNamed, focusSoon } from "../ui/focus-soon.ts";
import { Loading, Notice } from "../ui/notice.tsx";
import { onDemand } from "../ui/soon.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { toast } from "../ui/toast.tsx";
import { commentedType } from "./commented.ts";
import { faultsWith } from "./faults.ts";
import { ReviewNotice } from "./review-notice.tsx";
import { ScheduledNotice } from "./scheduled-notice.tsx";
import { type Summarized, Summary } from "./summary.tsx";
import { TabBoundary } from "./tab-boundary.tsx";
import { useEntityTabs } from "./use-entity-tabs.ts";

const Comments = onDemand(() => import("./comments.tsx"));
const NewerChanges = onDemand(() => import("./newer-changes.tsx"));

type Audited = { name?: string; version: number } & Summarized;

/** The props of every tab that edits the entity. */
export type EditProps<Draft> = {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** Why it cannot be edited; undefined if it can. */
  disabledReason: string | undefined;
  faults: readonly Fault[];
};

type Props<Read extends Stored<Audited>, Draft extends { readonly stored: Read }, Parts extends object, Tab extends string> = {
  /** Noun of the entity: holdout. */
  noun: Noun;
  /** Link to the list of such entities. */
  list?: ReactNode;
  stored: Read;
  model: DraftModel<Read, Draft, Parts>;
  /** The title, if it is not the name. */
  title?: string;
  beside?: ReactNode;
  /** Its recent use, in the summary. */
  use?: ReactNode;
  notices?: ReactNode;
  /** They get why the entity cannot be edited; undefined if it can. */
  actions?: (drafting: Drafting<Draft>, disabledReason: string | undefined) => ReactNode;
  /** The permission needed to save. */
  permission?: Permission;
  /** The reason why it cannot be edited now by any person. */
  lockedReason?: string | undefined;
  findFaults?: (draft: Draft) => Fault[];
  /** The tab that shows a field of a request, and the name of the part to focus there. */
  placeOf?: (draft: Draft, property: string) => { tab: NoInfer<Tab>; label?: string };
  /** The names of the tabs, the first one first. A page of one part shows no tabs. */
  tabs: Readonly<Record<Tab, string>>;
  /** The tab that an address without one opens. By default the first one. */
  usualTab?: NoInfer<Tab>;
  content: (tab: Tab, shared: EditProps<Draft>, restoreReason: string | undefined) => ReactNode;
  write: (draft: Draft) => BatchRequest[];
  inWords: (draft: Draft, changes: Changes) => DescribedEntity[];
  /** Environments where users may get something else, in words. Undefined if a draft does not change users' values. */
  environments?: (draft: Draft) => string;
  /** Additions to the review, such as other readers of the entity. */
  also?: ReactNode | ((draft: Draft) => ReactNode);
  /** Operations read again before a conflict is shown, and other ones whose answers a save changes. */
  reads: { own: CallID[]; others: CallID[] };
};

/** The versions of an entity and of its overrides, by their types. */
function versionsOf(noun: Noun, { entity, ...read }: Stored<Audited> & { overrides?: { version: number } }): Record<string, number> {
  const type = typeWithNoun(noun) ?? "";
  return { [type]: entity.version, ...(read.overrides && { [`${type}_overrides`]: read.overrides.version }) };
}

/** Effects of the edits that a person hardly means. */
function Warnings({ of }: { of: readonly Fault[] }) {
  const warnings = of.filter(({ level }) => level === "warning");
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn">
      {warnings.map(({ property, rule, message }) => (
        <p key={`${property} ${message}`}>
          {rule !== undefined && (
            <>
              Rule <bdi>“{rule}”</bdi>:{" "}
            </>
          )}
          {message}
        </p>
      ))}
    </Notice>
  );
}

const SAVE_FIRST = "Save or discard your changes first.";

/** The page of one entity: its tabs, its draft, and how it is saved. Give it a key, so that each entity starts fresh. */
export function EntityPage<Read extends Stored<Audited>, Draft extends { readonly stored: Read }, Parts extends object, Tab extends string>(
  props: Props<Read, Draft, Parts, Tab>,
) {
  const { noun, list, stored, model, title, beside, notices, actions, lockedReason, findFaults, content, reads } = props;
  const permission = props.permission ?? "edit_or_delete_configs";
  const { id: entityID = "" } = useParams({ strict: false });
  const type = commentedType(noun);
  const { data: comments } = useQuery({
    ...query("listComments", { query: { type: type ?? "gate", id: entityID, limit: 1 } }),
    enabled: type !== undefined,
  });
  const tabs: Readonly<Record<string, string>> = type === undefined ? props.tabs : { ...props.tabs, comments: "Comments" };
  const names = Object.keys(tabs) as Tab[];
  const first = props.usualTab ?? (names[0] as Tab);
  const search: { tab?: string } = useSearch({ strict: false });
  const tab = names.find((name) => name === search.tab) ?? first;
  const drafting = useDraft(model, stored);
  const { draft, edit, count, refused } = drafting;
  const open = useEntityTabs<string>(tabs, first, drafting);
  const refusal = useRefusal()(permission);
  const disabledReason = refusal ?? lockedReason;
  const ours = useMemo(() => findFaults?.(draft) ?? [], [findFaults, draft]);
  const shared = { draft, onChange: edit, disabledReason, faults: faultsWith(ours, refused) };
  const restoreReason = disabledReason ?? (count > 0 ? SAVE_FIRST : undefined);
  const name = title ?? stored.entity.name ?? "";
  useVisit(name, noun);
  const [isFavorite, toggle] = useFavorite(name, noun);
  const readAgain = () => invalidate(...reads.own);
  const saved = async () => {
    await readAgain();
    void invalidate(...reads.others, "listChanges", "listReferences");
    const action = "history" in tabs ? { action: { label: "View history", onPress: () => open("history") } } : {};
    toast({ text: `${name} is saved`, ...action });
  };
  return (
    <Page
      title={name}
      above={list}
      beside={
        <>
          <IconButton
            label={isFavorite ? "Remove from favorites" : "Add to favorites (kept in this browser)"}
            aria-pressed={isFavorite}
            onPress={toggle}
          >
            <Star aria-hidden="true" fill={isFavorite ? "currentColor" : "none"} />
          </IconButton>
          {beside}
        </>
      }
      actions={actions?.(drafting, disabledReason)}
    >
      <Summary of={stored.entity}>{props.use}</Summary>
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      <ReviewNotice noun={noun} />
      <ScheduledNotice noun={noun} />
      {notices}
      {names.length === 1 ? (
        content(first, shared, restoreReason)
      ) : (
        <Tabs
          label={`Parts of the ${noun}`}
          selected={tab}
          onSelect={open}
          tabs={names.map((id) => ({
            id,
            label: tabs[id] ?? "",
            ...(id === "comments" && { hint: comments?.pagination.totalItems || undefined }),
            content: () => (
              <TabBoundary tab={id}>
                {id === "comments" && type ? (
                  <Comments type={type} id={entityID} noun={noun} permission={permission} />
                ) : (
                  content(id, shared, restoreReason)
                )}
              </TabBoundary>
            ),
          }))}
        />
      )}
      <Saving
        model={model}
        drafting={drafting}
        stored={stored}
        newer={(base) => (
          <Suspense fallback={<Loading />}>
            <NewerChanges id={entityID === "" ? undefined : entityID} versions={versionsOf(noun, base)} last={stored.entity} />
          </Suspense>
        )}
        disabledReason={ours.some(({ level }) => level === "error") ? "Fix the highlighted fields first." : undefined}
        review={(edits, handlers) => (
          <Review
            title={`Review changes to ${name}`}
            write={props.write(edits)}
            inWords={(changes) => props.inWords(edits, changes)}
            {...(props.environments ? { environments: props.environments(edits) } : { isTargeting: false })}
            {...handlers}
            onRefused={(error) => {
              handlers.onRefused(error);
              const [property] = violationsByPlace(error).keys();
              const place = property === undefined ? undefined : props.placeOf?.(edits, property);
              if (place === undefined) return;
              if (place.tab !== tab) open(place.tab);
              if (place.label !== undefined) focusSoon(editorNamed(place.label));
            }}
          >
            <Warnings of={ours} />
            {typeof props.also === "function" ? props.also(edits) : props.also}
          </Review>
        )}
        onReadAgain={readAgain}
        onSaved={saved}
      />
    </Page>
  );
}
