// Commands of the palette that act: on gates, on new entities, and on the lists of a person.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { query, type Schema } from "../api.ts";
import { CREATED_TYPES, kinds, pageRoute } from "../kinds/kinds.ts";
import { toast } from "../ui/toast.tsx";
import { COPY_LINK, findVerb } from "./palette-verbs.ts";
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

/** Actions on the gates that the text names, which their pages let the reader review. */
export function useGateActions(search: string): Command[] {
  const navigate = useNavigate();
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const found = findVerb(search);
  const filter = { ...(found?.name && { search: found.name }), ...found?.verb.only, limit: MAX_FOUND };
  const request = query("listGates", { query: { ...filter, sort: "lastModifiedTime" } });
  const { data } = useQuery({ ...request, enabled: found !== undefined, placeholderData: keepPreviousData });
  if (found === undefined) return [];
  const { id: step, label } = found.verb;
  const act = ({ id }: Schema<"Gate">) => {
    const target = { to: pageRoute("gate"), params: { projectID, id } } as const;
    if (step === COPY_LINK) void copyLink(buildLocation(target).publicHref);
    else void navigate({ ...target, state: { asked: step } });
  };
  return (data?.data ?? []).map((gate) => ({
    id: `${step}:${gate.id}`,
    label: `${label} ${gate.name}`,
    hint: step === COPY_LINK ? "Gate" : "Gate, with a review",
    run: () => act(gate),
  }));
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
