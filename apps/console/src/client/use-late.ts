import { useEffect, useState } from "react";

/** True once something has been waited for so long, in ms. */
export function useLate(isWaiting: boolean, ms: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [isWaiting, ms]);
  return isWaiting && isLate;
}
