import Button from "antd/es/button";
import { useTexts } from "#client/texts.ts";
import { deliveryMessages } from "./messages.ts";

export interface TestButton {
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
}

/** Buttons that send test messages; the log below them shows what was answered. */
export function TestButtons({ tests }: { readonly tests: readonly TestButton[] }) {
  return (
    <span className="w-row-actions">
      {tests.map(({ key, label, run }) => (
        <Button key={key} onClick={run}>
          {label}
        </Button>
      ))}
    </span>
  );
}

/** Texts of tests, for pages around the drawer. */
export const useTestTexts = () => useTexts(deliveryMessages);
