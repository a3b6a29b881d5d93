/**
 * The demonstration that the files of one folder share: starting one takes longer than
 * most of them. What they change there is their own: rows with names of their own, a person of their
 * own, the display of their own page.
 */
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { type Installation, type Reached, startDemonstration } from "#e2e/installation.ts";

declare module "vitest" {
  export interface ProvidedContext {
    demonstration: Reached;
  }
}

/** The one of this run. */
export const demonstration = (): Reached => inject("demonstration");

let started: Installation | undefined;

export async function setup(project: TestProject): Promise<void> {
  started = await startDemonstration();
  const { url, password } = started;
  project.provide("demonstration", { url, password });
}

export const teardown = async (): Promise<void> => started?.close();
