package io.persist.memcached.item;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Numbers as memcached has them: 64 bits without a sign, as decimal digits. */
public final class Decimal {

    private static final long TENTH = Long.divideUnsigned(-1L, 10);
    private static final int LAST = (int) Long.remainderUnsigned(-1L, 10);

    private Decimal() {}

    /** Whether these bytes are digits, and nothing else, of such a number. */
    public static boolean isNumber(byte[] bytes, int from, int to) {
        if (from == to) {
            return false;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
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
        for (int i = from; i < to; i++) {
            value = value * 10 + (bytes[i] - '0');
        }
        return value;
    }

    /** Where the first word of some data begins: behind white space. */
    public static int wordStart(byte[] data, int from) {
        int start = from;
        while (start < data.length && isWhite(data[start])) {
            start++;
        }
        return start;
    }

    /** Where the word that begins at {@code start} ends: before white space, or with the data. */
    public static int wordEnd(byte[] data, int start) {
        int end = start;
        while (end < data.length && !isWhite(data[end])) {
            end++;
        }
        return end;
    }

    private static boolean isWhite(byte character) {
        return character == ' ' || character >= '\t' && character <= '\r';
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
