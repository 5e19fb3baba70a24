// Commands of the palette that act: on entities, on new entities, and on the lists of a person.
import { keepPreviousData, type UseQueryOptions, useQueries } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { query } from "../api.ts";
import { titled } from "../charts/format.ts";
import { CREATED_TYPES, kinds, pageRoute } from "../kinds/kinds.ts";
import { toast } from "../ui/toast.tsx";
import { type ActedType, COPY_LINK, findVerb, type Verb } from "./palette-verbs.ts";
import { MAX_FOUND } from "./use-found.ts";

export type Command = { id: string; label: string; hint?: string; run: () => void };

/** Copies an address of this server, and says so. Plain http on another host than localhost has no clipboard: there the address is shown. */
export async function copyLink(href: string): Promise<void> {
  const link = new URL(href, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    toast({ text: "Link copied" });
  } catch {
    toast({ text: link });
  }
}

type Named = { id: string; name: string };

/** The entities of a kind that a verb can be done to, by a part of their name. */
function actedQuery(type: ActedType, { on }: Verb, name: string) {
  const filter = { ...on[type], ...(name !== "" && { search: name }), limit: MAX_FOUND, sort: "lastModifiedTime" as const };
  return query(kinds[type].list, { query: filter as never });
}

/** Actions on the entities that the text names, which their pages let the reader review. */
export function useEntityActions(search: string): Command[] {
  const navigate = useNavigate();
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const found = findVerb(search);
  const types = found === undefined ? [] : (Object.keys(found.verb.on) as ActedType[]);
  const answers = useQueries({
    queries: types.map((type) => ({
      ...(found && actedQuery(type, found.verb, found.name)),
      placeholderData: keepPreviousData,
    })) as UseQueryOptions<{ data: Named[] }>[],
  });
  if (found === undefined) return [];
  const { id: step, label } = found.verb;
  const act = (type: ActedType, { id }: Named) => {
    const target = { to: pageRoute(type), params: { projectID, id } } as const;
    if (step === COPY_LINK) void copyLink(buildLocation(target).publicHref);
    else void navigate({ ...target, state: { asked: step } });
  };
  return types.flatMap((type, index) =>
    (answers[index]?.data?.data ?? []).map((entity) => ({
      id: `${step}:${type}:${entity.id}`,
      label: `${label} ${entity.name}`,
      hint: `${titled(kinds[type].noun)}${step === COPY_LINK ? "" : ", with a review"}`,
      run: () => act(type, entity),
    })),
  );
}

/** Opens the dialog that creates an entity. */
export function useCreations(): Command[] {
  const navigate = useNavigate();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  return CREATED_TYPES.map((type) => {
    const { noun, place } = kinds[type];
    const to = `/projects/$projectID/${place.path}` as const;
    return {
      id: `create:${type}`,
      label: `Create ${noun}`,
      run: () => void navigate({ to, params: { projectID }, state: { asked: "create" } }),
    };
  });
}

const OWNED = ["gate", "dynamic_config", "experiment"] as const;

/** The lists of what a person owns. Without a name, it is the reader. */
export function useOwnedLists(): (personID: string, name?: string) => Command[] {
  const navigate = useNavigate();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  return (personID, name) =>
    OWNED.map((type) => {
      const { label, path } = kinds[type].place;
      return {
        id: `${name === undefined ? "mine" : "owned"}:${type}:${personID}`,
        label: name === undefined ? `My ${label.toLowerCase()}` : `${label} of ${name}`,
        hint: "Owner",
        run: () =>
          void navigate({ to: `/projects/$projectID/${path}` as const, params: { projectID }, search: { ownerID: personID } as never }),
      };
    });
}
