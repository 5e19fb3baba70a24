import { useQuery } from "@tanstack/react-query";
import { invalidate } from "../../api.ts";
import { HistoryTab } from "../../entity/history-tab.tsx";
import { describeFields } from "../../saving/draft-model.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { Button } from "../../ui/button.tsx";
import { type OneProps, type Small, useOne } from "./small.ts";

const WORDS: Record<"name" | "description", FieldWords> = {
  name: { label: "Name", as: "value" },
  description: { label: "Description", as: "text" },
};

const pickTexts = ({ name, description }: Small) => ({ name, description });

/** The versions of one of them, in place of the list. */
export function SmallHistory(props: OneProps & { disabledReason: string | undefined }) {
  const { noun, title, referencedType, read, versions, restore, reads, id, onClose, disabledReason } = props;
  const { data: answer, refetch } = useOne(noun, id, read);
  const list = useQuery({ queryKey: ["small", noun, id, "versions"], queryFn: () => versions(id), staleTime: 0, gcTime: 0 });
  const inWords = (before: Small, after: Small) =>
    describeFields(WORDS, { type: referencedType, noun: title.replace(/s$/, ""), id: after.name }, pickTexts(before), pickTexts(after));
  return (
    <>
      <div>
        <Button onPress={onClose}>All {title.charAt(0).toLowerCase() + title.slice(1)}</Button>
      </div>
      <HistoryTab
        read={list}
        name={answer?.data.name ?? id}
        noun={noun}
        inWords={(_, before, after) => inWords(before, after)}
        restore={(version) => restore(id, version, answer?.etag ?? "")}
        disabledReason={disabledReason ?? (answer === undefined ? "Still loading." : undefined)}
        onReadAgain={() => {
          void refetch();
          void list.refetch();
          void invalidate(...reads, "listChanges");
        }}
      />
    </>
  );
}
