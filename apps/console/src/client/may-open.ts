import { useCallback } from "react";
import { mayOf } from "./menus.ts";
import { useMay } from "./session.tsx";

/** Whether the screen at an address, with or without a query, is open to the user. */
export const useMayOpen = (): ((address: string) => boolean) => {
  const may = useMay();
  return useCallback((address) => may(mayOf(address.split("?")[0] ?? "")), [may]);
};
