import { valueAt } from "@gatehouse/contract";

/**
 * The document with an example call of each operation: with curl, and with the project's client, which has a method for each JSON
 * operation. An API without `createClient` has no such client.
 */
export function withCodeSamples(document, descriptions, { baseUrl, createClient, keyHeader }) {
  const copy = structuredClone(document);
  for (const operation of Object.values(descriptions)) {
    const declared = document.paths[operation.path][operation.method];
    const [contentType] = Object.keys(declared.requestBody?.content ?? {});
    const call = { ...operation, contentType, pathValues: pathValues(operation), body: exampleBody(document, operation) };
    copy.paths[operation.path][operation.method]["x-codeSamples"] = [
      { lang: "cURL", source: curl(call, baseUrl, keyHeader) },
      ...(operation.answersJSON && createClient ? [{ lang: "JavaScript", source: javaScript(call, createClient) }] : []),
    ];
  }
  return copy;
}

function pathValues({ parameters }) {
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  return Object.fromEntries(inPath.map(({ name, example }) => [name, example ?? `<${name}>`]));
}

function exampleBody(document, { body }) {
  return body?.example && valueAt(document, body.example);
}

function curl({ path, method, opensBy, contentType, pathValues, body }, baseUrl, keyHeader) {
  const isOpenedByToken = opensBy === "token";
  const url = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(pathValues[name]));
  const target = isOpenedByToken ? `"${baseUrl}${url}?token=$TOKEN"` : `${baseUrl}${url}`;
  const lines = [`curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${target}`];
  if (!isOpenedByToken && !("sdkKey" in pathValues)) lines.push(`-H "${keyHeader}"`);
  if (body !== undefined) {
    lines.push(`-H "Content-Type: ${contentType}"`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(" \\\n  ");
}

function javaScript({ operationId, pathValues, body }, createClient) {
  const request = {
    ...(Object.keys(pathValues).length > 0 && { path: pathValues }),
    ...(body !== undefined && { body }),
  };
  const literal = JSON.stringify(request, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
  return [
    `import { ${createClient} } from "@gatehouse/client";`,
    "",
    `const api = ${createClient}({ baseUrl, apiKey });`,
    `const answer = await api.${operationId}(${literal === "{}" ? "" : literal});`,
  ].join("\n");
}
