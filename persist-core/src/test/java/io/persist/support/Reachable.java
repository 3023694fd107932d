package io.persist.support;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** Counts objects to which something refers. Those that other tests have left may be among them. */
public final class Reachable {

    private Reachable() {}

    /** How many objects of the class are there after a collection, as the JVM counts them. */
    public static int instances(Class<?> type) {
        System.gc();
        Object histogram;
        try {
            histogram = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new AssertionError(e);
        }
        Matcher line = Pattern.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+" + Pattern.quote(type.getName()) + "$")
                .matcher((String) histogram);
        return line.find() ? Integer.parseInt(line.group(1)) : 0;
    }
}
