import { useSuspenseQuery } from "@tanstack/react-query";
import { query, type Schema } from "../api.ts";

/** The environments of the project, in its order. */
export const useEnvironments = (): Schema<"Environment">[] => useSuspenseQuery(query("getEnvironments")).data.data.environments;

/** Their names. */
export const useEnvironmentNames = (): string[] => useEnvironments().map(({ name }) => name);
