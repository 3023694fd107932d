/**
 * The command lines of the tools in {@code io.persist.tool}, one class for each verb, and
 * {@link io.persist.tool.verb.ToolsMain}, the entry to them.
 */
@NullMarked
package io.persist.tool.verb;

import org.jspecify.annotations.NullMarked;
