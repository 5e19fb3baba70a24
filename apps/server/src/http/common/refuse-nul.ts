import type { RequestHandler } from "express";
import { invalid } from "../../common/errors.ts";

export const refuseNulInPath: RequestHandler = ({ url }, _response, next) => {
  if (url.includes("%00")) throw invalid([{ property: "path", errorMessage: "must not contain the character U+0000" }]);
  next();
};
