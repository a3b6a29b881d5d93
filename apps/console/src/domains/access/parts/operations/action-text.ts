import { useTexts } from "#client/texts.ts";
import { operationMessages } from "./messages.ts";

/** Texts of operations. */
export const useOperationTexts = () => useTexts(operationMessages);
type Texts = (key: Key) => string;

type Key = keyof typeof operationMessages;
const isKey = (key: string): key is Key => Object.hasOwn(operationMessages, key);

/** What was done, by the last part of the call's id: "role.saveMenus", "routerBgp.manage.add". */
export const actionText = (action: string, t: Texts): string => {
  const key = `operation.action.${action.slice(action.lastIndexOf(".") + 1)}`;
  return isKey(key) ? t(key) : action;
};
