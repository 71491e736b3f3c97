#include "figures/html.h"

#include <stdio.h>

#include "weir/profile.h"
#include "weir/weir.h"

static const char style[] =
    ":root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --soft: #555; --line: #ddd; "
    "--strong: #888; --head: #f4f4f4; --own: #eef5fb; --warning: #fdf1e8; --card: #f3f7fa; "
    "--edge: #0072b2; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ":root { --ink: #e6e6e6; --paper: #17191c; --soft: #a8adb3; --line: #3a3d42; "
    "--strong: #767b82; --head: #23262b; --own: #1d2b38; --warning: #38281b; --card: #1f242a; "
    "--edge: #56b4e9; }\n"
    "}\n"
    "body { font: 16px/1.5 sans-serif; color: var(--ink); background: var(--paper); "
    "max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }\n"
    "h1 { font-size: 1.8rem; line-height: 1.2; margin-bottom: 0.2rem; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1.3rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); }\n"
    "h3 { font-size: 1.05rem; margin: 1.5rem 0 0.5rem; }\n"
    ".scroll { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-size: 0.92rem; margin: 0.6rem 0 1rem; }\n"
    "th, td { padding: 0.22rem 0.7rem; text-align: right; border-bottom: 1px solid var(--line); "
    "white-space: nowrap; }\n"
    "th { font-weight: 600; background: var(--head); vertical-align: bottom; }\n"
    "th.text, td.text { text-align: left; }\n"
    "td.wrap { white-space: normal; min-width: 8rem; overflow-wrap: anywhere; }\n"
    "th.group { text-align: center; }\n"
    ".own { background: var(--own); }\n"
    "tr.best td, td.best { font-weight: 600; background: var(--own); }\n"
    "tr.first td { border-top: 2px solid var(--strong); }\n"
    ".verdict { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); "
    "gap: 1rem; }\n"
    ".card { border-left: 4px solid var(--edge); background: var(--card); "
    "padding: 0.6rem 0.9rem; min-width: 0; }\n"
    ".card h3 { margin: 0 0 0.3rem; }\n"
    ".card p { margin: 0.3rem 0; font-size: 0.95rem; }\n"
    ".card pre { margin: 0.5rem 0 0; white-space: pre-wrap; }\n"
    ".map { display: flex; flex-wrap: wrap; align-items: flex-start; column-gap: 1.2rem; }\n"
    ".map .scroll { max-width: 100%; }\n"
    ".map table { font-size: 0.84rem; }\n"
    ".map th, .map td { padding: 0.22rem 0.45rem; }\n"
    ".here { font-weight: 600; outline: 2px solid var(--ink); outline-offset: -2px; }\n"
    "caption { text-align: left; font-size: 0.92rem; padding-bottom: 0.2rem; }\n"
    "p.note { color: var(--soft); font-size: 0.92rem; }\n"
    "p.warning { border-left: 4px solid #d55e00; padding: 0.3rem 0.8rem; "
    "background: var(--warning); }\n"
    "figure { margin: 1.2rem 0; }\n"
    "svg { width: 100%; min-width: 42rem; height: auto; display: block; }\n"
    "summary { cursor: pointer; color: var(--soft); font-size: 0.92rem; }\n"
    "code { font-family: monospace; font-size: 0.95em; overflow-wrap: anywhere; }\n"
    "@media (max-width: 40rem) {\n"
    "th, td { padding: 0.22rem 0.4rem; }\n"
    "th.text, td.text { white-space: normal; }\n"
    "}\n"
    "@media print { h2 { break-after: avoid; } figure, table { break-inside: avoid; } }\n";

void weir_html_put(FILE *page, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", page);
		else if (*text == '<')
			fputs("&lt;", page);
		else if (*text == '>')
			fputs("&gt;", page);
		else if (*text == '"')
			fputs("&quot;", page);
		else /* XML allows no control characters, not even escaped. */
			fputc((unsigned char)*text < ' ' ? ' ' : *text, page);
	}
}

void weir_html_text(FILE *page, const char *before, const char *text, const char *after)
{
	fputs(before, page);
	weir_html_put(page, text);
	fputs(after, page);
}

void weir_html_cell(FILE *page, const char *text)
{
	weir_html_text(page, "<td class=\"text\">", text, "</td>");
}

void weir_html_table(FILE *page, const char *id)
{
	fputs("<div class=\"scroll\">\n<table", page);
	if (id)
		fprintf(page, " id=\"%s\"", id);
	fputs(">\n<thead>\n<tr>", page);
}

void weir_html_heads(FILE *page, const char *const *columns)
{
	for (; *columns; columns++)
		fprintf(page, **columns == '<' ? "<th class=\"text\">%s</th>" : "<th>%s</th>",
		        *columns + (**columns == '<'));
}

void weir_html_rows(FILE *page)
{
	fputs("</tr>\n</thead>\n<tbody>\n", page);
}

void weir_html_table_end(FILE *page)
{
	fputs("</tbody>\n</table>\n</div>\n", page);
}

void weir_html_begin(FILE *page)
{
	fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
	      "content=\"width=device-width, initial-scale=1\"/>\n<title>",
	      page);
}

void weir_html_body(FILE *page, const char *more)
{
	fprintf(page, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>", style, more);
}

void weir_html_row(FILE *page, const char *title, const char *text)
{
	fprintf(page, "<tr><th class=\"text\">%s</th>", title);
	weir_html_text(page, "<td class=\"text wrap\">", *text ? text : "not known",
	               "</td></tr>\n");
}

const char *weir_report_device(const weir_profile *profile)
{
	return *profile->device.description ? profile->device.description : profile->name;
}

const char *weir_report_short(const weir_profile *profile)
{
	const weir_device_info *device = &profile->device;
	return !device->is_gpu && *device->name ? device->name : weir_report_device(profile);
}
