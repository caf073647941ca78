import type { Cell, Column, Row } from '../generator.js';
import type { Encoder, ReportHeading } from './encoder.js';
import { ZipWriter } from './zip.js';

/** Rows of a sheet, as Excel and LibreOffice have them. What is beyond goes on to a further sheet. */
const SHEET_ROWS = 1_048_576;
const PIECE = 256 * 1024;
const TEXT = 0;
const HEADER = 1;
const DATE = 2;
const TIME = 3;
const NUMBER = 4;
const SHEET =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook: the data with real numbers and dates, then notes with the period, the units and the warnings. */
export function xlsxEncoder(heading: ReportHeading, sheetRows = SHEET_ROWS): Encoder {
  return new Workbook(heading, sheetRows);
}

class Workbook implements Encoder {
  private readonly zip = new ZipWriter();
  private readonly shown: readonly { index: number; letters: string; column: Column }[];
  private sheets = 0;
  private rowNumber = 0;
  private pending = '';

  constructor(
    private readonly heading: ReportHeading,
    private readonly sheetRows: number,
  ) {
    const shown = heading.columns
      .map((column, index) => ({ column, index }))
      .filter(({ column }) => !column.jsonOnly);
    this.shown = shown.map((each, place) => ({ ...each, letters: lettersOf(place + 1) }));
  }

  begin(): Buffer {
    return Buffer.concat([
      this.part('[Content_Types].xml', CONTENT_TYPES),
      this.part('_rels/.rels', PACKAGE_RELATIONS),
      this.part('xl/styles.xml', STYLES),
      this.openSheet(),
    ]);
  }

  rows(batch: readonly Row[]): Buffer {
    const out: Buffer[] = [];
    for (const row of batch) {
      if (this.rowNumber >= this.sheetRows) out.push(this.closeSheet(), this.openSheet());
      this.pending += this.rowXml(row);
      if (this.pending.length >= PIECE) out.push(this.flush());
    }
    return Buffer.concat(out);
  }

  end(warnings: readonly string[]): Buffer {
    return Buffer.concat([
      this.closeSheet(),
      this.part('xl/worksheets/notes.xml', notes(this.heading, warnings)),
      this.part('xl/workbook.xml', workbook(this.sheets)),
      this.part('xl/_rels/workbook.xml.rels', workbookRelations(this.sheets)),
      this.zip.finish(),
    ]);
  }

  private openSheet(): Buffer {
    this.sheets++;
    this.rowNumber = 1;
    const names = ['row_type', ...this.shown.map(({ column }) => column.name)];
    this.pending =
      `${SHEET}<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
      `<cols><col min="1" max="${names.length}" width="16" customWidth="1"/></cols><sheetData><row r="1">${names.map((name, place) => text(`${lettersOf(place)}1`, name, HEADER)).join('')}</row>`;
    return this.zip.begin(`xl/worksheets/sheet${this.sheets}.xml`);
  }

  private closeSheet(): Buffer {
    this.pending += '</sheetData></worksheet>';
    return this.flush();
  }

  private rowXml({ rowType, cells }: Row): string {
    const number = String(++this.rowNumber);
    let xml = `<row r="${number}">${text(`A${number}`, rowType)}`;
    for (const { index, letters, column } of this.shown)
      xml += cellXml(`${letters}${number}`, cells[index] as Cell, column);
    return `${xml}</row>`;
  }

  private flush(): Buffer {
    const xml = this.pending;
    this.pending = '';
    return this.zip.write(xml);
  }

  private part(name: string, xml: string): Buffer {
    return Buffer.concat([this.zip.begin(name), this.zip.write(xml)]);
  }
}

function cellXml(at: string, cell: Cell, column: Column): string {
  if (cell === null) return '';
  switch (column.type) {
    case 'integer':
    case 'decimal':
      return `<c r="${at}" s="${NUMBER}"><v>${cell}</v></c>`;
    case 'date':
      return dateXml(at, cell as string);
    case 'time':
      return `<c r="${at}" s="${TIME}"><v>${dayFraction(cell as string)}</v></c>`;
    case 'text':
      return text(at, cell as string);
  }
}

/** The name of a column by its place from 0: A, B, …, Z, AA. */
function lettersOf(place: number): string {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : lettersOf(Math.floor(place / 26) - 1) + last;
}

/** A day as a spreadsheet counts it from 1900-01-01, whose calendar wrongly has a 29 February 1900; text before 1 March of that year. */
function dateXml(at: string, date: string): string {
  const serial = Date.parse(date) / 86_400_000 + 25_569;
  return serial >= 61 ? `<c r="${at}" s="${DATE}"><v>${serial}</v></c>` : text(at, date);
}

function dayFraction(time: string): number {
  return (Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60 + Number(time.slice(6))) / 86_400;
}

function text(at: string, value: string, style = TEXT): string {
  const styled = style === TEXT ? '' : ` s="${style}"`;
  const element = NEEDS_CARE.test(value) ? carefully(value) : `<t>${value}</t>`;
  return `<c r="${at}" t="inlineStr"${styled}><is>${element}</is></c>`;
}

/** What is not written as it stands: blanks at an end, and the first character of all that xmlText replaces. */
const NEEDS_CARE = /[&<>_\u0000-\u001f\ufffe\uffff\ud800-\udfff]|^\s|\s$/;

function carefully(value: string): string {
  const space = /^\s|\s$|\n/.test(value) ? ' xml:space="preserve"' : '';
  return `<t${space}>${xmlText(value)}</t>`;
}

const XML_SPECIAL =
  /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** What XML 1.0 cannot hold is written `_xHHHH_`, as the format has it. */
function xmlText(value: string): string {
  return value.replace(XML_SPECIAL, (found) => {
    if (found === '&') return '&amp;';
    if (found === '<') return '&lt;';
    if (found === '>') return '&gt;';
    if (found.length > 1) return `_x005F${found}`;
    return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}

function notes({ type, title, farm, period, columns }: ReportHeading, warnings: readonly string[]): string {
  const lines: string[][] = [
    ['Report', title],
    ['Type', type],
    ['Farm', farm],
    ['From', period.start],
    ['To', period.end],
    ['Time zone', period.timeZone],
    [],
    ['Column', 'Unit', 'Meaning'],
    ...columns
      .filter((column) => !column.jsonOnly)
      .map(({ name, unit, description }) => [name, unit, description]),
    [],
    ['Warnings', String(warnings.length)],
    ...warnings.map((warning) => ['', warning]),
  ];
  const rows = lines
    .map(
      (line, index) =>
        `<row r="${index + 1}">${line.map((value, place) => text(`${lettersOf(place)}${index + 1}`, value)).join('')}</row>`,
    )
    .join('');
  return `${SHEET}<cols><col min="1" max="2" width="24" customWidth="1"/><col min="3" max="3" width="80" customWidth="1"/></cols><sheetData>${rows}</sheetData></worksheet>`;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const STYLES =
  `${DECLARATION}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2">` +
  '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="hh:mm:ss"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Every part without a kind of its own is a sheet, so that their number need not be known ahead. */
const CONTENT_TYPES =
  `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Default Extension="xml" ContentType="${KIND}.worksheet+xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${KIND}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${KIND}.styles+xml"/></Types>`;

const PACKAGE_RELATIONS =
  `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
  `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

function numbered(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function workbook(sheets: number): string {
  const data = numbered(sheets).map(
    (n) => `<sheet name="${n === 1 ? 'Data' : `Data ${n}`}" sheetId="${n}" r:id="rId${n}"/>`,
  );
  return (
    `${DECLARATION}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONS}"><sheets>` +
    `${data.join('')}<sheet name="Notes" sheetId="${sheets + 1}" r:id="rId${sheets + 1}"/></sheets></workbook>`
  );
}

function workbookRelations(sheets: number): string {
  const targets = [...numbered(sheets).map((n) => `worksheets/sheet${n}.xml`), 'worksheets/notes.xml'];
  const sheetRelations = targets.map(
    (target, index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="${target}"/>`,
  );
  return (
    `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheetRelations.join('')}` +
    `<Relationship Id="rId${sheets + 2}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`
  );
}
