import { sheetImport } from "@weft/contract/domains/access/sheet.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useRef, useState } from "react";
import { type CallError, call } from "#client/call.ts";

export type Checked = OutputOf<typeof sheetImport>;
type Input = InputOf<typeof sheetImport>;
type Choice = Pick<Input, "resource" | "inside" | "mode">;

interface Given {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The selected file, and what the controller says of it. */
export function useImport() {
  const [file, setFile] = useState<Given | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  const [isBusy, setBusy] = useState(false);
  // Of two checks that are under way the later one counts.
  const turn = useRef(0);
  const send = async (given: Given, rest: Choice & Partial<Input>): Promise<Checked | null> => {
    turn.current += 1;
    const number = turn.current;
    setBusy(true);
    setError(null);
    const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
    const input: Input = {
      skipBad: false,
      check: false,
      plan: null,
      oldPsw: null,
      ...rest,
      zone,
      file: given as Input["file"],
    };
    try {
      const { data } = await call(sheetImport, input);
      return number === turn.current ? data : null;
    } catch (failure) {
      if (number === turn.current) setError(failure as CallError);
      return null;
    } finally {
      if (number === turn.current) setBusy(false);
    }
  };
  const check = async (given: Given, choice: Choice): Promise<void> => {
    setFile(given);
    setChecked(null);
    const result = await send(given, { ...choice, check: true });
    if (result) setChecked(result);
  };
  return {
    file,
    checked,
    error,
    isBusy,
    async pick(picked: File, choice: Choice): Promise<void> {
      const bytes = new Uint8Array(await picked.arrayBuffer());
      await check({ name: picked.name, bytes }, choice);
    },
    /** The same file under another choice. */
    recheck(choice: Choice): void {
      if (file) void check(file, choice);
    },
    /** What was written; null: nothing, and `error` says why. */
    run: async (
      choice: Choice,
      skipBad: boolean,
      oldPsw: string | null,
    ): Promise<Checked | null> =>
      file && checked ? send(file, { ...choice, skipBad, plan: checked.plan, oldPsw }) : null,
  };
}
