import type { loginRecordList, operaRecordList } from "@weft/contract/domains/access/record.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage, type Message } from "@weft/contract/kernel/message.ts";
import { useTexts } from "#client/texts.ts";
import { recordMessages } from "./messages.ts";

export type Operation = OutputOf<typeof operaRecordList>[number];
export type LogIn = OutputOf<typeof loginRecordList>[number];
export type Change = Operation["changes"][number];

/** Texts of this folder. */
export const useRecordTexts = () => useTexts(recordMessages);
export type RecordTexts = ReturnType<typeof useRecordTexts>;

/** What the controller says in both languages, in the reader's. */
export const textOf = (text: Message, { language }: Pick<RecordTexts, "language">): string =>
  formatMessage(text, language);
