package io.persist.memcached.item;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Numbers as memcached writes them: 64 bits without a sign, as decimal digits, perhaps with spaces behind. */
public final class Decimal {

    private static final int MAX_LENGTH = 20;
    private static final long TENTH = Long.divideUnsigned(-1L, 10);
    private static final int LAST = (int) Long.remainderUnsigned(-1L, 10);

    private Decimal() {}

    /** Whether these bytes are such a number. */
    public static boolean isNumber(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && bytes[end - 1] == ' ') {
            end--;
        }
        if (end == from || to - from > MAX_LENGTH) {
            return false;
        }
        long value = 0;
        for (int i = from; i < end; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            int tooLarge = Long.compareUnsigned(value, TENTH);
            if (tooLarge > 0 || tooLarge == 0 && digit > LAST) {
                return false;
            }
            value = value * 10 + digit;
        }
        return true;
    }

    /** The number; only if {@link #isNumber}. */
    public static long value(byte[] bytes, int from, int to) {
        long value = 0;
        for (int i = from; i < to && bytes[i] != ' '; i++) {
            value = value * 10 + (bytes[i] - '0');
        }
        return value;
    }

    /** Its digits. */
    public static byte[] digits(long value) {
        return Long.toUnsignedString(value).getBytes(StandardCharsets.US_ASCII);
    }

    /** Room for a header and the digits, with spaces behind up to {@code minLength}: a number keeps its length. */
    public static byte[] padded(byte[] digits, int minLength) {
        byte[] bytes = new byte[Item.HEADER_LENGTH + Math.max(digits.length, minLength)];
        System.arraycopy(digits, 0, bytes, Item.HEADER_LENGTH, digits.length);
        Arrays.fill(bytes, Item.HEADER_LENGTH + digits.length, bytes.length, (byte) ' ');
        return bytes;
    }
}
