import type { DailySchedule } from "@weft/contract/rules/schedule.ts";
import Switch from "antd/es/switch";
import type { FieldControl } from "#kernel/form/field.tsx";

const two = (value: number): string => String(value).padStart(2, "0");

/** A time of day, or never. */
export function ScheduleInput({ control }: { readonly control: FieldControl<DailySchedule> }) {
  const value = control.value ?? { enabled: false, hour: 3, minute: 0 };
  return (
    <span style={{ display: "flex", gap: 12, alignItems: "center" }}>
      <Switch
        id={control.id}
        checked={value.enabled}
        onChange={(enabled) => control.set({ ...value, enabled })}
      />
      {value.enabled && (
        <input
          type="time"
          className="w-mono"
          aria-label="HH:mm"
          value={`${two(value.hour)}:${two(value.minute)}`}
          onChange={(event) => {
            // Halfway through another time there is none: midnight was not meant.
            if (event.target.value === "") return;
            const [hour = "0", minute = "0"] = event.target.value.split(":");
            control.set({ enabled: true, hour: Number(hour), minute: Number(minute) });
          }}
        />
      )}
    </span>
  );
}
