/** Whether a request failed because the project has no model endpoint. @param reason the server's words */
export const lacksEndpoint = (reason: string): boolean => reason.includes("The project has no model endpoint.");
