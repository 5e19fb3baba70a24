import type { Router } from "express";
import { AppError } from "../../errors.ts";
import { redactKeys } from "../../redact-keys.ts";
import { type ConsoleOperation, type ConsoleServices, exists } from "./serve-operation.ts";

/**
 * Answers 404 at paths of resources that are not available, where they would be taken for an entity of that name. An entity that has the
 * name is served as any other.
 * @param operations those of the API, of which one reads the entity at `{path}/{id}`
 */
export function refuseUnavailable(router: Router, operations: ConsoleOperation[], services: ConsoleServices): void {
  for (const get of operations.filter(({ method, path }) => method === "get" && path.endsWith("/{id}"))) {
    const path = get.path.slice(0, -"/{id}".length);
    const names = operations.flatMap((one) => (one.path === path ? (one.unavailableNames ?? []) : []));
    for (const name of names) refuse(path, name, get);
  }

  function refuse(path: string, name: string, get: ConsoleOperation): void {
    router.all(`${path}/${name}{/*rest}`, async (request, response, next) => {
      if (await exists(get, { id: name }, response, services)) return next();
      throw new AppError("not_found", `${request.method} ${redactKeys(request.baseUrl + request.path)} is not available here.`);
    });
  }
}
