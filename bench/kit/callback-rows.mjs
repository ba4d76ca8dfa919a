// Payments and their callbacks, written as the service writes them: in one commit, with a notification.
import { newId } from "../../dist/platform/new-id.js";

/** Projects, each with a callback URL of its own, signed as `signing` says. */
export async function makeProjects(client, merchantId, signing, urls) {
  const projects = urls.map((url) => ({ id: newId(), url }));
  await client.query(
    `insert into projects (id, merchant_id, name, book, callback_url, callback_signing)
     select p.id, $3, 'Bench', 'test', p.url, $4 from unnest($1::uuid[], $2::text[]) as p (id, url)`,
    [projects.map(({ id }) => id), urls, merchantId, signing],
  );
  return projects;
}

/** One payment and one callback for each of `projects`, in one commit. Answers the events' ids. */
export async function insertEvents(client, projects) {
  const events = projects.map(({ id, url }) => {
    const eventId = newId();
    const requestId = newId();
    return { eventId, requestId, projectId: id, url, body: JSON.stringify(bodyOf(id, requestId, eventId)) };
  });
  await client.query(
    `with input as (
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::json[])
         as i (event_id, request_id, project_id, url, origin, body)),
     paid as (
       insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, sequence, method,
                             currency, requested_amount, amount, customer_id, request)
       select project_id, request_id, 'payin', 'p2p', request_id::text, '\\x00', 'processing:requisites', 2, 'card-p2p',
              'RUB', 250000, 250000, 'bench', '{}' from input),
     told as (
       insert into callbacks (project_id, id, request_id, sequence, url, origin, body, due_at)
       select project_id, event_id, request_id, 2, url, origin, body, now() from input)
     select pg_notify('tillgate_callbacks', '')`,
    [
      events.map((event) => event.eventId),
      events.map((event) => event.requestId),
      events.map((event) => event.projectId),
      events.map((event) => event.url),
      events.map((event) => new URL(event.url).origin),
      events.map((event) => event.body),
    ],
  );
  return events.map(({ eventId }) => eventId);
}

function bodyOf(projectId, requestId, eventId) {
  return {
    project_id: projectId,
    general: { request_id: requestId, payment_id: requestId },
    status: { status: "processing", sub_status: "requisites", status_description: null, decline_code: null },
    payment_info: { type: "payin", method: "card-p2p", amount: 250000, requested_amount: 250000, currency: "RUB" },
    event: { id: eventId, sequence: 2, created_at: new Date().toISOString() },
  };
}
