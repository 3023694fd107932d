package io.persist.tool.store;

import io.persist.StoreView;
import io.persist.file.Storage;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.StorePlace;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.KeyFormat;
import io.persist.tool.text.PayloadStyle;
import io.persist.tool.text.PayloadText;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Prints the value of one key of a store, which may be written meanwhile. */
public final class StoreGetTool implements LogTool {

    /** How the value is printed. */
    public enum ValueStyle {
        /** In quotes as UTF-8, with escapes for what cannot be seen, and a line end. */
        TEXT,
        /** In hexadecimal, and a line end. */
        HEX,
        /** In base64, and a line end. */
        BASE64,
        /** Its bytes and nothing else. */
        RAW
    }

    private static final int PIECE_LENGTH = 8192;

    private final byte[] key;
    private final KeyFormat keyFormat;
    private final ValueStyle style;
    private final StorePlace place;

    /** @throws IllegalArgumentException if {@code key} is no key in this format */
    public StoreGetTool(String key, KeyFormat keyFormat, ValueStyle style, StorePlace place) {
        this.key = keyFormat.parse(key);
        this.keyFormat = keyFormat;
        this.style = style;
        this.place = place;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        try (StoreView view = place.view(log)) {
            @Nullable ByteBuffer value = view.snapshot().getUntilNext(key);
            if (value == null) {
                err.println("persist: " + Descriptions.name(log) + ": no such key: "
                        + keyFormat.text(ByteBuffer.wrap(key)));
                return ExitCode.FAILURE;
            }
            print(value, out);
            return ExitCode.OK;
        }
    }

    private void print(ByteBuffer value, PrintStream out) {
        switch (style) {
            case TEXT -> PayloadText.print(value, PayloadStyle.TEXT, out);
            case HEX -> PayloadText.print(value, PayloadStyle.HEX, out);
            case BASE64 -> PayloadText.print(value, PayloadStyle.BASE64, out);
            case RAW -> {
                printRaw(value, out);
                return;
            }
        }
        out.print('\n');
    }

    private static void printRaw(ByteBuffer value, PrintStream out) {
        byte[] piece = new byte[PIECE_LENGTH];
        while (value.hasRemaining()) {
            int length = Math.min(piece.length, value.remaining());
            value.get(piece, 0, length);
            out.write(piece, 0, length);
        }
    }
}
