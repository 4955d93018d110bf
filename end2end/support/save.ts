import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';

/** Saves a text past the form, for specs about reading; the answer is its id. */
export async function save(
  request: APIRequestContext,
  content: string,
  options: { title?: string; syntax?: string } = {},
): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await request.post('/api/pastes', { headers, data: { content, ...options } });
  return ((await answer.json()) as { id: string }).id;
}
