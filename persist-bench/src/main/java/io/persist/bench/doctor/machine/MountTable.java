package io.persist.bench.doctor.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is mounted where, as {@code /proc/self/mountinfo} tells this process. */
public final class MountTable {

    /** Blanks, tabs, line ends and backslashes are written as their octal codes. */
    private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");

    private static final int DEVICE = 2;
    private static final int POINT = 4;
    private static final int OPTIONS = 5;

    private final List<Mount> mounts;

    private MountTable(List<Mount> mounts) {
        this.mounts = mounts;
    }

    public static MountTable read(SystemFiles files) {
        return parse(files.lines("proc/self/mountinfo"));
    }

    /** Lines that are none of a mount are left out. */
    static MountTable parse(List<String> lines) {
        List<Mount> mounts = new ArrayList<>();
        for (String line : lines) {
            Mount mount = parse(line.split(" "));
            if (mount != null) {
                mounts.add(mount);
            }
        }
        return new MountTable(mounts);
    }

    /**
     * A line is {@code ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [TAG...] - TYPE SOURCE OPTIONS}.
     */
    private static @Nullable Mount parse(String[] fields) {
        int dash = List.of(fields).indexOf("-");
        if (dash <= OPTIONS || dash + 2 >= fields.length) {
            return null;
        }
        Set<String> options = new LinkedHashSet<>(List.of(fields[OPTIONS].split(",")));
        if (dash + 3 < fields.length) {
            options.addAll(List.of(fields[dash + 3].split(",")));
        }
        return new Mount(
                fields[DEVICE],
                unescape(fields[POINT]),
                fields[dash + 1],
                unescape(fields[dash + 2]),
                List.copyOf(options));
    }

    private static String unescape(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(
                        code -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(code.group(1), 8))));
    }

    /**
     * The file system of a path: the longest mount point above it, and of several mounts there the last one, which
     * hides the others.
     *
     * @param real without symbolic links
     */
    @Nullable
    public Mount of(Path real) {
        Mount found = null;
        for (Mount mount : mounts) {
            if (real.startsWith(mount.point())
                    && (found == null || mount.point().length() >= found.point().length())) {
                found = mount;
            }
        }
        return found;
    }
}
