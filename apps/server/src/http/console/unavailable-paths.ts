import type { Router } from "express";
import { AppError } from "../../errors.ts";
import { redactKeys } from "../../redact-keys.ts";
import type { ConsoleOperation, ConsoleServices } from "./execute.ts";
import { exists } from "./serve-operation.ts";

/**
 * Responds 404 at the paths of resources that are not available, which would otherwise be routed as entities of that name. An existing
 * entity with the name is served as usual.
 * @param operations of the API
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
