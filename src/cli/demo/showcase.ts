/** Columns that are read together. */
export interface View {
  /** Columns worth reading first, in this order; those that do not fit the terminal are left out from the right. */
  readonly columns: readonly string[];
  /** Detail rows to print; the rest is counted, and totals are always printed. */
  readonly details: number;
}

/** What the demo shows of a report. */
export interface Showcase {
  readonly views: readonly View[];
  /** What a newcomer looks at. */
  readonly look: string;
}

const SHOWCASES: Readonly<Record<string, Showcase>> = {
  'livestock-reconciliation.v3': {
    views: [
      {
        columns: named(`
          species enterprise age_class opening births purchases sales deaths closing missing rations
          class_in class_out enterprise_in enterprise_out transfers_in transfers_out adjust_in
          adjust_out unreconciled`),
        details: 40,
      },
      {
        columns: named(`
          species opening_value purchase_value sales_value closing_value gross_profit average_cost
          births_value rations_value`),
        details: 0,
      },
    ],
    look: 'Every head is accounted for: opening and all that came, less all that went, is closing. What the accountant needs stands by species at average cost.',
  },
  'livestock-sale.v1': {
    views: [
      {
        columns: named(`
          date age_class head sale_type buyer gross net net_per_head whp_active_head esi_active_head
          dressing_pct price_per_kg reference`),
        details: 20,
      },
    ],
    look: 'The lambs of January were drenched nine days before they went to the yards: whp_active_head flags them; those that came back are negative.',
  },
  'livestock-purchase.v1': {
    views: [
      {
        columns: named(`
          date vendor age_class head head_invoiced gross landed_total landed_per_head freight
          commission reference nvd`),
        details: 20,
      },
    ],
    look: 'landed_total is the price with freight, commission and insurance; where head_invoiced exceeds head, not all that was paid for walked off the truck.',
  },
  'animal-load-by-paddock.v1': {
    views: [
      {
        columns: named(`
          paddock month area_total area_grazable days_grazed days_empty head_days unit_days
          unit_days_per_area avg_load peak_load grazing_pct head_days_unrated`),
        details: 0,
      },
    ],
    look: 'unit_days_per_area is how hard each paddock was grazed over the year, in DSE-days a hectare; the feeding pens have no grass and so no rate. Months stand in the full report.',
  },
  'livestock-feed.v1': {
    views: [
      {
        columns: named(`
          date mob feed head_fed quantity unit quantity_kg quantity_per_head total_cost cost_per_head
          age_class quantity_kg_dm batch feed_whp_clear_date`),
        details: 14,
      },
    ],
    look: 'Hand-feeding begins in February, when the autumn stays dry: the totals by feed say what it cost.',
  },
  'feed-sale.v1': {
    views: [
      {
        columns: named(`
          date buyer feed quantity unit unit_price gross freight net tax reference batch quantity_kg`),
        details: 20,
      },
    ],
    look: 'Four wet bales came back two weeks after they were sold: returned feed is a negative line.',
  },
  'livestock-treatment.v1': {
    views: [
      {
        columns: named(`
          date mob tag age_class head_treated product procedure whp_clear_date esi_clear_date cost
          batch batch_expiry operator`),
        details: 20,
      },
    ],
    look: 'The three doses of the lame cow are one course: all three rows are clear on the same day, counted from the last; a clear date that is not known is blank.',
  },
  'livestock-classification-transitions.v1': {
    views: [
      {
        columns: named(`
          date from_age_class to_age_class from_enterprise to_enterprise kind head head_mob
          head_individual cause species`),
        details: 20,
      },
    ],
    look: 'Sheep classed in mobs and tagged cattle classed one by one stand side by side, in head.',
  },
};

function named(columns: string): readonly string[] {
  return columns.trim().split(/\s+/);
}

/** A report type that came later than the demo: its own description and first columns must do. */
export function showcaseOf(type: string, columns: readonly string[], description: string): Showcase {
  return SHOWCASES[type] ?? { views: [{ columns, details: 12 }], look: description };
}
