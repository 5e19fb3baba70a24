import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useDeferredValue } from "react";
import { query } from "../api.ts";
import { internalMeaning } from "../targeting/event-words.ts";
import { ComboBox } from "../ui/choice.tsx";

type Props = Omit<ComponentProps<typeof ComboBox>, "options" | "allowsOther" | "onSearch" | "optionFor" | "onClear">;

/** The name of an event, which may not have been logged yet. */
export function EventField(props: Props) {
  const { data } = useQuery(query("listEvents"));
  const known = (data?.data ?? []).map(({ name }) => {
    const hint = internalMeaning(name);
    return { id: name, label: name, ...(hint !== undefined && { hint }) };
  });
  return <ComboBox {...props} options={known} allowsOther />;
}

/** Longest text that lists can be searched for, and the most names in an answer. */
const MAX_SEARCH = 100;
const MAX_NAMES = 1000;

/** Whether an event with this name was logged. Undefined as long as that isn't known. */
export function useEventSeen(name: string): boolean | undefined {
  const searched = useDeferredValue(name);
  const search = [...searched].slice(0, MAX_SEARCH).join("");
  const { data } = useQuery({ ...query("listEvents", { query: { search, limit: MAX_NAMES } }), enabled: search !== "" });
  if (data === undefined || searched !== name) return undefined;
  if (data.data.some((event) => event.name === name)) return true;
  return data.pagination.totalItems > data.data.length ? undefined : false;
}
