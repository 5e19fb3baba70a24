import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";

/**
 * Creates agents whose connections all go to the address that the first one reached. So a name whose DNS answer changes later cannot lead a
 * statement to another server than the checked one.
 */
export function createSameAddressAgents(isSecure: boolean): () => http.Agent {
  const { Agent } = isSecure ? https : http;
  let address: string | undefined;
  return () => {
    const agent = new Agent({ keepAlive: true });
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (options, callback) => {
      // With TLS, the certificate is still checked for the name, which the agent has set as the server name before.
      const socket = connect(address === undefined ? options : { ...options, host: address }, callback) as Socket;
      socket.once("connect", () => {
        address ??= socket.remoteAddress;
      });
      return socket;
    };
    return agent;
  };
}
