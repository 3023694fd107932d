package io.persist.command;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The unit in which a flag counts bytes; the placeholder of the flag is its name. A value may name another unit: {@code
 * 512KB} for a flag in MB is 0.5. As everywhere here, 1 KB is 1024 bytes; KiB, MiB and GiB say the same.
 */
enum SizeUnit {
    BYTES(0),
    KB(10),
    MB(20),
    GB(30),
    TB(40);

    private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([KMGT]?)I?B?");

    private final int shift;

    SizeUnit(int shift) {
        this.shift = shift;
    }

    /** The unit that a flag with this placeholder counts in, if it counts bytes. */
    static Optional<SizeUnit> of(String placeholder) {
        for (SizeUnit unit : values()) {
            if (unit.name().equals(placeholder)) {
                return Optional.of(unit);
            }
        }
        return Optional.empty();
    }

    /** How many of these units {@code value} says by a unit of its own; {@code value} itself if it has none. */
    String number(String value) {
        Matcher size = SIZE.matcher(value.toUpperCase(Locale.ROOT));
        boolean hasUnit = !value.isEmpty() && Character.isLetter(value.charAt(value.length() - 1));
        if (!hasUnit || !size.matches()) {
            return value;
        }
        SizeUnit given = size.group(2).isEmpty() ? BYTES : valueOf(size.group(2) + "B");
        BigDecimal bytes = new BigDecimal(size.group(1)).multiply(BigDecimal.valueOf(1L << given.shift));
        return bytes.divide(BigDecimal.valueOf(1L << shift))
                .stripTrailingZeros()
                .toPlainString();
    }
}
