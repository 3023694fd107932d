package io.persist.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** What all recorded events have. */
@Category("Persist")
@StackTrace(false)
abstract class LogEvent extends Event {

    @Label("Log")
    @Description("The log's directory")
    String log = "";
}
