import { createProject } from "../../app/merchants/merchants.ts";
import { listProjectLimits } from "../../store/merchants/project-limits.ts";
import { listProjectMethods } from "../../store/merchants/project-methods.ts";
import { listProjectRoutes } from "../../store/merchants/project-routes.ts";
import { findProject, listProjects, type Project } from "../../store/merchants/projects.ts";
import { type Command, EXIT } from "../kit/command.ts";
import { optional, positional, readBook, readId, readPlainText, requiredText } from "../kit/option-values.ts";
import { printJson, renderTable, showInstant } from "../kit/output.ts";
import { merchantUnknown, NAME_MAX, requireMerchant } from "./merchant.ts";
import { limitsJson, renderRules, routeJson } from "./project-rules-view.ts";
import { methodJson, printScheme1Warning, projectJson, projectUnknown, renderProject } from "./project-view.ts";

export const projectCreate: Command = {
  name: "project create",
  summary: "Create a project of a merchant, with its own balance, keys and settings.",
  arguments: [],
  options: {
    merchant: { type: "string", value: "ID", help: "the merchant that it belongs to" },
    name: { type: "string", value: "NAME", help: "a name for people" },
    book: { type: "string", value: "test|live", help: "test money or real money; cannot be changed later" },
    json: { type: "boolean", help: "print the new project as JSON" },
  },
  notes: [
    "Example: {program} project create --merchant 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f --name Web --book test",
    "A new project has no method enabled: see project set --help.",
  ],
  run: (context, input) => {
    const merchantId = readId(requiredText(input, "merchant"), "--merchant");
    const name = readPlainText(requiredText(input, "name"), "--name", NAME_MAX);
    const book = readBook(requiredText(input, "book"), "--book");
    return context.withDatabase(async (db) => {
      const created = await createProject(db, { merchantId, name, book });
      if (!created.ok) throw merchantUnknown(merchantId);
      if (input.flag("json")) printJson(context, { project_id: created.value, merchant_id: merchantId, name, book });
      else {
        context.print(`Created ${book} project ${created.value} (${name}).`);
        printScheme1Warning(context, { id: created.value, scheme2Only: false });
      }
      return EXIT.done;
    });
  },
};

export const projectList: Command = {
  name: "project list",
  summary: "List the projects.",
  arguments: [],
  options: {
    merchant: { type: "string", value: "ID", help: "only those of this merchant" },
    json: { type: "boolean", help: "print the list as JSON, with every setting" },
  },
  notes: ["Example: {program} project list"],
  run: (context, input) => {
    const merchantId = optional(input, "merchant", readId);
    return context.withDatabase(async (db) => {
      if (merchantId !== undefined) await requireMerchant(db, merchantId);
      const all = await listProjects(db);
      const projects = all.filter((project) => merchantId === undefined || project.merchantId === merchantId);
      if (input.flag("json")) printJson(context, projects.map(projectJson));
      else context.print(projects.length === 0 ? noProjects(context.programName) : renderList(projects));
      return EXIT.done;
    });
  },
};

function noProjects(programName: string): string {
  return `There are no projects yet. Open one with: ${programName} project create --merchant ID --name NAME --book test`;
}

function renderList(projects: readonly Project[]): string {
  const titles = ["PROJECT", "MERCHANT", "BOOK", "STATUS", "CREATED", "NAME"];
  return renderTable(
    titles.map((title) => ({ title })),
    projects.map((project) => [
      project.id,
      project.merchantId,
      project.book,
      project.status,
      showInstant(project.createdAt),
      project.name,
    ]),
  );
}

export const projectShow: Command = {
  name: "project show",
  summary: "Show a project's settings, methods, limits and routes.",
  arguments: ["PROJECT"],
  options: { json: { type: "boolean", help: "print them as JSON" } },
  notes: ["Example: {program} project show 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f"],
  run: (context, input) => {
    const id = readId(positional(input, 0), "PROJECT");
    return context.withDatabase(async (db) => {
      const project = await findProject(db, id);
      if (project === undefined) throw projectUnknown(id);
      const methods = (await listProjectMethods(db)).filter((method) => method.projectId === id);
      const limits = (await listProjectLimits(db)).filter((limit) => limit.projectId === id);
      const routes = (await listProjectRoutes(db)).filter((route) => route.projectId === id);
      if (input.flag("json")) {
        const rules = { limits: limits.map(limitsJson), routes: routes.map(routeJson) };
        printJson(context, { ...projectJson(project), methods: methods.map(methodJson), ...rules });
      } else {
        context.print(renderProject(project, methods));
        context.print(renderRules(limits, routes));
        printScheme1Warning(context, project);
      }
      return EXIT.done;
    });
  },
};
