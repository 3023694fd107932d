package io.persist.command;

import io.persist.file.disk.FileReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Whether values of flags are of use. */
public final class Checks {

    private Checks() {}

    /** Makes sure that a value is neither too small nor too large; {@link Long#MAX_VALUE} is no bound. */
    public static void range(String flag, double value, double min, double max) {
        // Written so that NaN, which is neither below nor above anything, is refused too.
        if (!(value >= min && value <= max)) {
            throw new UsageException(flag + " " + plain(value) + " is out of range; give a value from " + plain(min)
                    + (max >= Long.MAX_VALUE ? " on" : " to " + plain(max)));
        }
    }

    /** Makes sure that a JVM can be started with -Xmx and this. */
    public static void heap(String flag, String size) {
        if (!size.matches("[1-9][0-9]*[kKmMgG]?")) {
            throw new UsageException(flag + " " + size + " is no size; give one such as 512m or 4g");
        }
    }

    /** Makes a directory, if it is not there, and makes sure that files can be written in it. */
    public static void directory(String flag, Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UsageException(flag + " " + directory + " cannot be made (" + whyNotMade(directory, e)
                    + "); name a directory that can");
        }
        String why = FileReason.ofNoWriting(directory);
        if (!why.isEmpty()) {
            throw new UsageException(
                    flag + " " + directory + " is not writable (" + why + "); name a directory that is");
        }
    }

    /** Makes sure that a file can be written in a directory that is there, and that it is no link to another one. */
    public static void file(String flag, Path file) {
        if (Files.isSymbolicLink(file)) {
            throw new UsageException(
                    flag + " " + file + " is a symbolic link, and none is written through; name another file");
        }
        Path parent = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || parent == null || !Files.isWritable(parent)) {
            throw new UsageException(
                    flag + " " + file + " cannot be written; name a file in a directory that is there");
        }
    }

    /** What is there in its place, if there is something. */
    private static String whyNotMade(Path directory, IOException e) {
        boolean isSomething = Files.exists(directory, LinkOption.NOFOLLOW_LINKS);
        String what = isSomething ? FileReason.ofNoDirectory(directory) : "";
        return what.isEmpty() ? Text.describe(e) : what;
    }

    private static String plain(double value) {
        return new DecimalFormat("#,##0.######", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
    }
}
