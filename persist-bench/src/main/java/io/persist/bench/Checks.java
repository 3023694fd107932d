package io.persist.bench;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Whether values of flags are in their ranges. */
public final class Checks {

    private Checks() {}

    public static void range(String flag, double value, double min, double max) {
        // Written so that NaN, which is neither below nor above anything, is refused too.
        if (!(value >= min && value <= max)) {
            throw new UsageException(flag + " " + plain(value) + " is out of range; give a value from " + plain(min)
                    + " to " + plain(max));
        }
    }

    private static String plain(double value) {
        return new DecimalFormat("#,##0.######", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
    }
}
