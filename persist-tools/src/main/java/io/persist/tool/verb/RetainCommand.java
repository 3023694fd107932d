package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import io.persist.command.Checks;
import io.persist.command.Manual;
import io.persist.log.RetentionRule;
import io.persist.tool.Effect;
import io.persist.tool.LogTool;
import io.persist.tool.copy.RetainTool;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code retain LOG...}: the oldest segments of logs go. */
public final class RetainCommand extends ToolArguments {

    private static final Pattern AGE = Pattern.compile("(\\d{1,9})([smhd])");

    @Parameter(
            names = "--keepBytes",
            placeholder = "BYTES",
            description = "delete the oldest segments until so many bytes are left")
    private @Nullable Long keepBytes;

    @Parameter(
            names = "--keepAge",
            placeholder = "AGE",
            description = "delete segments sealed longer ago than this: 90s, 15m, 12h or 7d")
    private @Nullable String keepAge;

    @Parameter(
            names = "--below",
            placeholder = "POSITION",
            description = "delete segments that lie wholly below this position")
    private @Nullable Long below;

    @Parameter(names = "--dryRun", description = "only say what would be deleted; needs no lock")
    private boolean dryRun;

    /** At its defaults. */
    public RetainCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "retain",
                        "LOG...",
                        "Deletes the oldest segments of logs. What a named cursor has not passed is left.")
                .example("see what would go to leave 10 GB", "./logs --keepBytes 10GB --dryRun")
                .example("delete what was sealed more than a week ago", "./logs --keepAge 7d")
                .exits("something could not be deleted");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        List<RetentionRule> rules = new ArrayList<>();
        if (keepBytes != null) {
            Checks.range("--keepBytes", keepBytes, 0, Long.MAX_VALUE);
            rules.add(RetentionRule.keepBytes(keepBytes));
        }
        if (keepAge != null) {
            rules.add(RetentionRule.keepAge(age(keepAge)));
        }
        if (below != null) {
            Checks.range("--below", below, 0, Long.MAX_VALUE);
            rules.add(RetentionRule.below(below));
        }
        if (rules.size() != 1) {
            String given = rules.isEmpty() ? "no rule is" : rules.size() + " rules are";
            throw new IllegalArgumentException(given + " given; give one of --keepBytes, --keepAge, --below");
        }
        return new RetainTool(rules.get(0), dryRun ? Effect.DRY_RUN : Effect.APPLY);
    }

    private static Duration age(String text) {
        Matcher matcher = AGE.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("--keepAge " + text + " is no age such as 90s, 15m, 12h or 7d");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }
}
