/** The document with an example call of each operation: with curl, and with the project's client. */
export function withCodeSamples(document, { baseUrl, createClient, keyHeader }) {
  const copy = structuredClone(document);
  for (const [path, item] of Object.entries(copy.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!operation.operationId) continue;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((node) => resolve(copy, node));
      const call = {
        path,
        method,
        operation,
        isOpenedByToken: isOpenedByToken(copy, operation),
        pathValues: valuesOf(parameters),
        body: exampleBody(copy, operation),
      };
      operation["x-codeSamples"] = [
        { lang: "cURL", source: curl(call, baseUrl, keyHeader) },
        ...(answersJSON(copy, operation) ? [{ lang: "JavaScript", source: javaScript(call, createClient) }] : []),
      ];
    }
  }
  return copy;
}

function resolve(document, node) {
  if (!node?.$ref) return node;
  const [, ...steps] = node.$ref.split("/");
  return steps.reduce((found, step) => found[step], document);
}

function valuesOf(parameters) {
  return Object.fromEntries(
    parameters.filter(({ in: place }) => place === "path").map(({ name, example }) => [name, example ?? `<${name}>`]),
  );
}

function exampleBody(document, operation) {
  const examples = resolve(document, operation.requestBody)?.content["application/json"].examples ?? {};
  return resolve(document, Object.values(examples)[0])?.value;
}

/** What is called by a URL that was answered, token and all. */
function isOpenedByToken(document, { security = [] }) {
  const schemes = security.flatMap((one) => Object.keys(one)).map((name) => document.components.securitySchemes[name]);
  return schemes.some(({ in: place, name }) => place === "query" && name === "token");
}

/** The client has no method for what answers a file or a stream. */
function answersJSON(document, { responses }) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2"));
  return "application/json" in (resolve(document, success).content ?? {});
}

function curl({ path, method, isOpenedByToken, pathValues, body }, baseUrl, keyHeader) {
  const url = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(pathValues[name]));
  const target = isOpenedByToken ? `"${baseUrl}${url}?token=$TOKEN"` : `${baseUrl}${url}`;
  const lines = [`curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${target}`];
  if (!isOpenedByToken && !("sdkKey" in pathValues)) lines.push(`-H "${keyHeader}"`);
  if (body !== undefined) {
    lines.push(`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(" \\\n  ");
}

function javaScript({ operation, pathValues, body }, createClient) {
  const request = {
    ...(Object.keys(pathValues).length > 0 && { path: pathValues }),
    ...(body !== undefined && { body }),
  };
  const literal = JSON.stringify(request, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
  return [
    `import { ${createClient} } from "@gatehouse/client";`,
    "",
    `const api = ${createClient}({ baseUrl, apiKey });`,
    `const answer = await api.${operation.operationId}(${literal === "{}" ? "" : literal});`,
  ].join("\n");
}
