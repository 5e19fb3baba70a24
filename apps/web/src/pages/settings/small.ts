// Shared parts of the pages of small kinds: tags, target apps, unit ID types.
import { useQuery } from "@tanstack/react-query";
import type { BatchRequest, CallID } from "../../api.ts";
import type { Versioned, VersionList } from "../../entity/history-tab.tsx";
import type { ReferencedType } from "../../entity/read-by.tsx";
import type { Permission } from "../../session/account.ts";

export type Small = Versioned & { id: string; name: string; description: string };

export type SmallProps = {
  /** Singular and plural: tag, tags. */
  noun: string;
  title: string;
  /** Its purpose. */
  about: string;
  referencedType: ReferencedType;
  /** The permission that creates one, and the one that changes one. */
  permissions: { create: Permission; edit: Permission };
  /** All of them, or why they could not be read. */
  all: { data: { data: Small[] } | undefined; error: Error | null };
  /** One of them, with its ETag. */
  read: (id: string) => Promise<{ data: Small; etag?: string }>;
  create: (body: { name: string; description: string }) => Promise<unknown>;
  /** Without a name where it never changes. */
  patch: (id: string, body: { name?: string; description?: string }, ifMatch: string) => BatchRequest;
  remove: (id: string, isForced: boolean, ifMatch: string) => BatchRequest;
  isRenamed: boolean;
  /** Its versions, the latest first. */
  versions: (id: string) => Promise<VersionList<Small>>;
  restore: (id: string, version: number, ifMatch: string) => BatchRequest;
  reads: CallID[];
};

export type OneProps = SmallProps & { id: string; onClose: () => void };

/** One of them, read when the dialog opens: its ETag decides whether a write counts. */
export const useOne = (noun: string, id: string, read: SmallProps["read"]) =>
  useQuery({ queryKey: ["small", noun, id], queryFn: () => read(id), staleTime: 0, gcTime: 0 });
