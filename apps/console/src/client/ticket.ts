import { downloadPath } from "@weft/contract/kernel/sheet.ts";
import { addressOf } from "./call.ts";

/** Lets the browser save the file of a ticket. */
export const fetchByTicket = (ticket: string, name: string): void => {
  const link = document.createElement("a");
  link.href = addressOf(downloadPath, { ticket });
  link.download = name;
  link.click();
};
