import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { useListFilter } from "../../entity/list-filters.tsx";
import { TestUser } from "../../entity/test-user.tsx";
import { explain } from "../../explain.ts";
import { Section } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { useTypedText } from "../../shell/typed-text.ts";
import { Button } from "../../ui/button.tsx";
import { SearchField } from "../../ui/field.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { DownloadIDs } from "./download-ids.tsx";
import { IDList } from "./id-list.tsx";
import { IDsDialog } from "./ids-dialog.tsx";
import type { Segment } from "./segment-draft.ts";
import type { ListType, Mode } from "./transfer.ts";

const FROM = "/projects/$projectID/segments/$id";
const PAGE_SIZE = 100;
const MAX_ID_LENGTH = 1_000;
const NONE: readonly [] = [];

type Props = { segment: Segment; type: ListType; disabledReason: string | undefined };

/** The ids that are in the segment. A change of them counts at once: no version holds them. */
export default function IDsTab({ segment, type, disabledReason }: Props) {
  const { page, search } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const filter = useListFilter();
  const [text, setText] = useTypedText(search ?? "", (typed) => filter({ search: typed === "" ? undefined : typed }));
  const [mode, setMode] = useState<Mode>();
  const asked = { ...(page !== undefined && { page }), ...(search !== undefined && { startsWith: search }) };
  const request = { path: { id: segment.id }, query: { limit: PAGE_SIZE, ...asked } };
  const { data, error, isPending, isPlaceholderData } = useQuery({
    ...query("getSegmentIDList", request),
    placeholderData: (known) => known,
  });
  return (
    <>
      <Section
        title="IDs"
        description={`Users whose ${segment.idType} is listed are in the segment. Changes apply immediately in all environments.`}
        actions={
          <>
            <DownloadIDs segment={segment} />
            {type === "id_list" && (
              <Button onPress={() => setMode("replace")} disabledReason={disabledReason}>
                Replace all
              </Button>
            )}
            <Button onPress={() => setMode("remove")} disabledReason={disabledReason}>
              Remove IDs
            </Button>
            <Button look="primary" onPress={() => setMode("add")} disabledReason={disabledReason}>
              Add IDs
            </Button>
          </>
        }
      >
        {(segment.count > 0 || search !== undefined) && (
          <search className={entity.filters}>
            <SearchField
              label="Search IDs"
              placeholder="Find an ID or the start of one"
              value={text}
              onChange={setText}
              maxLength={MAX_ID_LENGTH}
            />
          </search>
        )}
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isPending && <Loading />}
        {data && (
          <IDList
            segment={segment}
            type={type}
            list={data.data}
            search={search}
            isEarlier={isPlaceholderData}
            disabledReason={disabledReason}
          />
        )}
        {data && (
          <Pager
            pagination={data.pagination}
            noun="IDs"
            onPage={(to) => void navigate({ search: ({ page: _, ...known }) => (to > 1 ? { ...known, page: to } : known) })}
          />
        )}
      </Section>
      <TestUser type="segment" id={segment.id} noun="segment" saved={NONE} drafted={NONE} body={undefined} faults={NONE} />
      {mode !== undefined && <IDsDialog segment={segment} type={type} mode={mode} onClose={() => setMode(undefined)} />}
    </>
  );
}
